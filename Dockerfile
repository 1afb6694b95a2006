FROM python:3.13-slim AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
RUN python -m venv /venv
WORKDIR /build
# the packages change more rarely than the code: their layer is kept
COPY requirements.lock .
RUN /venv/bin/pip install --require-hashes --requirement requirements.lock
COPY . .
RUN /venv/bin/pip install --no-build-isolation --no-deps --no-index .

FROM python:3.13-slim
# /data holds the games only where no SIMPLESIMON_REDIS_URL is given
RUN useradd --system --uid 1000 --no-create-home simplesimon && install -d -o simplesimon /data
COPY --from=build /venv /venv
USER simplesimon
# no flags: those would win over the variables that an operator sets
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 SIMPLESIMON_DATA_DIR=/data SIMPLESIMON_HOST=0.0.0.0 SIMPLESIMON_WORKERS=2
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD python -c \
    "from urllib.request import urlopen; urlopen('http://127.0.0.1:${SIMPLESIMON_PORT:-8000}/health/ready', timeout=2)"
CMD ["simplesimon", "serve"]
