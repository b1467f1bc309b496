# `make digests` pins this to what the tag is on the day.
FROM python:3.11-slim

ENV PYTHONUNBUFFERED=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_ROOT_USER_ACTION=ignore \
    SNUG_DATA=/data

WORKDIR /srv/snug

COPY requirements.txt ./
RUN pip install --require-hashes -r requirements.txt

COPY pyproject.toml setup.py LICENSE README.md ./
COPY snug snug
COPY app app
COPY migrations migrations
COPY starter starter
COPY static static
COPY templates templates
RUN pip install --no-deps --no-build-isolation -e . \
    && python -m compileall -q snug app \
    && python -c "from app.services.players.languages import catalogues; catalogues()" \
    && useradd --system --no-create-home --shell /usr/sbin/nologin snug \
    && install -d -o snug -g snug -m 0700 /data

USER snug
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/livez', timeout=4)"]
CMD ["snug", "serve", "--host", "0.0.0.0"]
