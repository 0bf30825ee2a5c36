# syntax=docker/dockerfile:1
# The product as an image: one binary on a slim Debian, not root, nothing written but /state. See server/operation/README.md.

FROM rust:1-trixie AS build
# Node bundles the front; it is not in the result.
COPY --from=node:22-trixie-slim /usr/local/ /usr/local/node/
ENV PATH=/usr/local/node/bin:$PATH
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/usr/local/cargo/.rusty_v8 \
    --mount=type=cache,target=/src/target \
    tests/setup/system.sh run && tests/setup/node.sh && tests/setup/v8.sh && tests/setup/npm.sh \
    && cargo build --profile dist --locked \
    && cp target/dist/dastarkhan /dastarkhan

FROM debian:trixie-slim
# Roots of the certificates that upstream, picture storage and collector are checked by.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /dastarkhan /usr/local/bin/dastarkhan
RUN install -d -m 0700 -o 65532 -g 65532 /state
USER 65532:65532
WORKDIR /state
ENV LISTEN=0.0.0.0:8080 ADMIN_LISTEN=0.0.0.0:8082 STATE_DIR=/state PROFILE=production
EXPOSE 8080 8082
VOLUME /state
# There is no curl: bash itself asks whether it is ready.
HEALTHCHECK --interval=5s --timeout=2s --start-period=30s --retries=3 CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/${ADMIN_LISTEN##*:} && printf 'GET /readyz HTTP/1.0\\r\\n\\r\\n' >&3 && read -r _ status _ <&3 && [ \"$status\" = 200 ]"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["dastarkhan"]
CMD ["serve"]
