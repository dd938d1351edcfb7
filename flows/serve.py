"""The private workflow server's process; started by `flows.engine`, never by hand.

Usage: ``python -P serve.py PARENT_PID SOCKET_FD``. The socket is bound by the parent, so no other
program can take the port in between.
"""

from __future__ import annotations

import gc
import os
import socket
import sys
import threading
import time

WATCH_SECONDS = 0.25


def end_with(parent: int) -> None:
    """End this process as soon as ``parent`` is gone, however it went.

    Asking who the parent is works on every POSIX system and, unlike a parent-death signal, does not
    depend on which of the parent's threads started us.
    """

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(WATCH_SECONDS)
        os._exit(0)  # the database is transactional: nothing needs a goodbye

    threading.Thread(target=watch, name="parent-watch", daemon=True).start()


def main() -> None:
    """Serve the API until told to stop or until the parent is gone."""
    parent, descriptor = int(sys.argv[1]), int(sys.argv[2])
    end_with(parent)
    gc.disable()  # importing and migrating allocate without garbage: a seventh of the start-up time

    import uvicorn

    config = uvicorn.Config(
        "prefect.server.api.server:create_app",
        factory=True,
        log_level="error",
        lifespan="on",
        access_log=False,
    )
    server = uvicorn.Server(config)
    threading.Thread(target=_collect_once_started, args=(server,), daemon=True).start()
    server.run(sockets=[socket.socket(fileno=descriptor)])
    if not server.started:
        sys.exit(3)


def _collect_once_started(server: object) -> None:
    while not getattr(server, "started", False):
        time.sleep(WATCH_SECONDS)
    gc.freeze()
    gc.enable()


if __name__ == "__main__":
    main()
