"""What went wrong between here and a bucket: one line, and what to do.

Nothing that a server or a library says is repeated: it may hold a key.
"""

from __future__ import annotations

from voxmem.errors import StoreError

ABSENT = frozenset({"NoSuchKey", "404", "NotFound"})

_KEYS = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE"
_CREDENTIALS = ("the server does not know these credentials", f"check them: {_KEYS}")
_DENIED = (
    "permission denied",
    "let these credentials list, read, write and delete below this root, or choose another",
)
_REGION = ("the bucket is in another region", "set AWS_REGION to that of the bucket")
_FULL = (
    "there is no space left",
    "free some space and run the same command again; what is stored already is kept",
)
_CODES: dict[str, tuple[str, str]] = {
    "InvalidAccessKeyId": _CREDENTIALS,
    "SignatureDoesNotMatch": _CREDENTIALS,
    "InvalidToken": _CREDENTIALS,
    "AuthFailure": _CREDENTIALS,
    "401": _CREDENTIALS,
    "ExpiredToken": ("the credentials have expired", f"renew them: {_KEYS}"),
    "AccessDenied": _DENIED,
    "AllAccessDisabled": _DENIED,
    "403": _DENIED,
    "NoSuchBucket": ("there is no such bucket", "create it, or name another root"),
    "PermanentRedirect": _REGION,
    "AuthorizationHeaderMalformed": _REGION,
    "301": _REGION,
    "RequestTimeTooSkewed": (
        "the clock of this machine is not that of the server",
        "set the clock of this machine and run again",
    ),
    "QuotaExceeded": _FULL,
    "XMinioStorageFull": _FULL,
    "InsufficientStorage": _FULL,
    "507": _FULL,
}
_ERRORS: dict[str, tuple[str, str]] = {
    "NoCredentialsError": ("there are no credentials", _KEYS),
    "PartialCredentialsError": ("the credentials are incomplete", _KEYS),
    "CredentialRetrievalError": ("the credentials cannot be had", _KEYS),
    "ProfileNotFound": ("there is no such profile of credentials", "check AWS_PROFILE"),
    "SSLError": (
        "the certificate of the server is not trusted",
        "check AWS_ENDPOINT_URL and AWS_CA_BUNDLE",
    ),
}
_THROTTLED = frozenset({"SlowDown", "Throttling", "ThrottlingException", "RequestLimitExceeded"})
_TRANSIENT_CODES = _THROTTLED | {"RequestTimeout", "InternalError", "ServiceUnavailable"}
_TRANSIENT_ERRORS = frozenset(
    {
        "EndpointConnectionError",
        "ConnectionClosedError",
        "ConnectTimeoutError",
        "ReadTimeoutError",
        "ProxyConnectionError",
        "HTTPClientError",
        "ResponseStreamingError",
        "IncompleteReadError",
        "ResponseParserError",
        "BadBytesError",
        "UndecidedError",
    }
)


class BadBytesError(Exception):
    """What came is not what was asked for; it is asked for again."""


class UndecidedError(Exception):
    """Another writes the same name just now: it is tried again until one of us was first."""


def code_of(error: Exception) -> str:
    """The server's code for what went wrong; empty if the server did not speak."""
    answer = getattr(error, "response", None) or {}
    return str(answer.get("Error", {}).get("Code", ""))


def status_of(error: Exception) -> int:
    """The HTTP status of the server's answer; 0 if there was none."""
    answer = getattr(error, "response", None) or {}
    return int(answer.get("ResponseMetadata", {}).get("HTTPStatusCode", 0))


def transient(error: Exception) -> bool:
    """Whether the same request may succeed a little later."""
    if status_of(error):
        return (status_of(error) >= 500 and status_of(error) not in (501, 507)) or (
            status_of(error) == 429 or code_of(error) in _TRANSIENT_CODES
        )
    return type(error).__name__ in _TRANSIENT_ERRORS


def complaint(
    error: Exception, action: str, where: str, endpoint: str, waited: float
) -> StoreError:
    """The error of one line.

    Args:
        action: What failed, as a verb ("write", "read").
        where: The ``s3://`` address that it failed on.
        waited: Seconds for which it was tried.
    """
    reason, remedy = _reason(error, endpoint, waited)
    return StoreError(f"cannot {action} {where}: {reason}", remedy=remedy)


def _reason(error: Exception, endpoint: str, waited: float) -> tuple[str, str]:
    code, status = code_of(error), status_of(error)
    known = _CODES.get(code) or _CODES.get(str(status)) or _ERRORS.get(type(error).__name__)
    if known:
        return known
    if isinstance(error, BadBytesError):
        return (str(error), "look after the server and the network, and run again")
    if isinstance(error, UndecidedError):
        return ("others write it again and again", "run the same command again")
    said = str(status) if code in ("", str(status)) else f"{status} {code}"
    if status and transient(error):
        return (
            f"{endpoint} was not available for {waited:.0f} s ({said})",
            "look after the server and run the same command again; what is stored is kept",
        )
    if transient(error) and type(error).__name__ != "HTTPClientError":
        return (
            f"{endpoint} could not be reached for {waited:.0f} s",
            "check AWS_ENDPOINT_URL, and that the server runs; what is stored is kept",
        )
    if status:
        return (f"the server answered {said}", "look after the server and run again")
    if type(error) is ValueError:  # how the library calls an endpoint that is no URL
        return (
            "the address of the server does not begin with http:// or https://, or is no address",
            "correct AWS_ENDPOINT_URL",
        )
    return (
        f"the request could not be made ({type(error).__name__})",
        "check AWS_ENDPOINT_URL, AWS_REGION and the credentials",
    )
