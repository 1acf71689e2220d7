# playsim in a container: the static binary and nothing else. `.github/scripts/image` lays out the context.
#
#   docker run --rm --volume "$PWD:/work" ghcr.io/OWNER/playsim waterfall session.har
FROM scratch
ARG TARGETARCH
COPY ${TARGETARCH}/playsim /playsim
COPY ${TARGETARCH}/LICENSE-APACHE ${TARGETARCH}/LICENSE-MIT /
WORKDIR /work
USER 65534:65534
ENTRYPOINT ["/playsim"]
