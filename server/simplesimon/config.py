"""One frozen Config, from flags and environment. It imports nothing of ours."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

METRICS_DIRECTORY = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable that names where workers share their numbers; set before `metrics` is read."""


_SITE = re.compile(r"https?://([A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(:[0-9]{1,5})?")  # 253: RFC 1035, 2.3.4


def default_data_dir() -> Path:
    """Where the games are when nobody says: the place that the XDG rules give to a program's data."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "simplesimon"


@dataclass(frozen=True, slots=True)
class Config:
    """How to serve. Each field is a flag (`--data-dir`) and an environment variable (`SIMPLESIMON_DATA_DIR`).

    Without a `redis_url` the server starts its own store in `data_dir`. So many `replicas` of the store must have an
    event before anybody hears of it. Links that are passed on begin with `public_url`, or else with the address
    that the request came to; pages of both are our own.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1
    redis_url: str = ""
    replicas: int = 0
    data_dir: Path = Path()
    has_limits: bool = True
    public_url: str = ""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> "Config":
        """The configuration that `environment` tells, with defaults for the rest.

        Raises ValueError, naming the variable.
        """
        values: dict[str, object] = {"data_dir": default_data_dir()}
        for field in fields(cls):
            text = environment.get(variable(field.name))
            if text:
                values[field.name] = _parse(field.name, text)
        return cls(**values)  # type: ignore[arg-type]

    def environment(self) -> dict[str, str]:
        """The variables that give this configuration to another process."""
        return {variable(field.name): str(getattr(self, field.name)) for field in fields(self)}


def is_site(url: str) -> bool:
    """Whether an address is that of a whole site: a scheme, a host, perhaps a port, and nothing else."""
    return _SITE.fullmatch(url) is not None


def variable(name: str) -> str:
    """The environment variable of a field."""
    return f"SIMPLESIMON_{name.upper()}"


def _parse(name: str, text: str) -> object:
    match name:
        case "port" | "workers" | "replicas":
            if not text.isdigit():
                raise ValueError(f"{variable(name)} is {text!r}, not a number")
            return int(text)
        case "data_dir":
            return Path(text)
        case "has_limits":
            return text != "False"
        case _:
            return text
