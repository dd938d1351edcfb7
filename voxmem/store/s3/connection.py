"""The library's client of a bucket: endpoint, region and credentials by the usual AWS settings."""

from __future__ import annotations

import logging
import os
from typing import Any
from urllib.parse import urlsplit

_CONNECT_SECONDS = 10
_READ_SECONDS = 60
_CONNECTIONS = 64


def connect() -> Any:
    """A client of boto3, for this process. Nothing is sent yet.

    Raises:
        BotoCoreError: There is no such profile, or a setting is none.
        ValueError: The endpoint is no URL.
    """
    import boto3
    import botocore.session
    from botocore.config import Config

    for library in ("boto3", "botocore", "urllib3"):
        # Below this level they print what is signed, with the name of the key.
        if logging.getLogger(library).level == logging.NOTSET:
            logging.getLogger(library).setLevel(logging.WARNING)
    session = botocore.session.get_session()
    config = Config(
        connect_timeout=_CONNECT_SECONDS,
        read_timeout=_READ_SECONDS,
        max_pool_connections=_CONNECTIONS,
        # Patience is ours: its own tries ask nobody whether they still may.
        retries={"mode": "standard", "total_max_attempts": 1},
        # Not every server knows these; digests are sent and compared here.
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
    )
    # As all other AWS tools do; by itself this library knows AWS_DEFAULT_REGION alone.
    region = os.environ.get("AWS_REGION") or None
    make = boto3.session.Session(botocore_session=session, region_name=region).client
    client = make("s3", config=config)
    chosen = (session.get_config_variable("s3") or {}).get("addressing_style")
    host = urlsplit(client.meta.endpoint_url).hostname or ""
    if chosen or host.endswith((".amazonaws.com", ".amazonaws.com.cn")):
        return client
    # A server of one's own has one name, not one for each bucket.
    return make("s3", config=config.merge(Config(s3={"addressing_style": "path"})))
