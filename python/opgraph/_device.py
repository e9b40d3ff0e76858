# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Devices: what a graph is planned for, and what it then runs on.

A device is named "host" (or "cpu"), "cuda" or "cuda:N" (a device of this
machine, by ordinal), or described by an architecture ("sm_90a"), by JSON text or
the path of a JSON file, for which plans can be made without a GPU."""

import json
import os
from typing import NamedTuple

from ._errors import ArgumentError, Error, InvalidValueError

# og_device_type.
_CUDA = 2


def _native():
    from . import _opgraph
    return _opgraph


class Target(NamedTuple):
    """What planning is told, None where nobody names a device, and the ordinal
    of the CUDA device of this machine that it stands for; None for the host and
    for a description."""

    text: str | None
    ordinal: int | None = None

    @property
    def name(self):
        """As a handle's `device` spells it."""
        return "host" if self.ordinal is None else f"cuda:{self.ordinal}"


HOST = Target("host")
# Planning chooses, see `of_plan`: CUDA where there is a device and an engine
# takes the graph on it, else the host.
UNNAMED = Target(None)


def cuda_device_count():
    """How many CUDA devices there are; 0 without a driver that can be used."""
    try:
        return _native().cuda_device_count()
    except Error:
        return 0


def _of_cuda(ordinal):
    # Raises, with the reason, where there is no such device.
    return Target(_native().describe_cuda_device(ordinal), ordinal)


def parse(what, device):
    """The target that `device` names; `what` is for error texts."""
    if isinstance(device, bool) or device is None:
        raise ArgumentError(f"{what}: expected a device, got {device!r}")
    if isinstance(device, int):
        return _of_cuda(device)
    text = str(device).strip()
    if text in ("host", "cpu"):
        return HOST
    kind, _, number = text.partition(":")
    if kind == "cuda" and not number.strip("0123456789"):
        if text.endswith(":"):
            raise InvalidValueError(f"{what}: expected 'cuda:N', got '{text}'")
        return _of_cuda(int(number or 0))
    return Target(text)


def unnamed():
    """What a graph is planned for where nothing else names a device:
    OPGRAPH_DEVICE, or what planning chooses."""
    named = os.environ.get("OPGRAPH_DEVICE")
    return parse("OPGRAPH_DEVICE", named) if named else UNNAMED


def of_plan(identity):
    """What the plan, of a target that was unnamed, is for."""
    return HOST if identity.endswith("@host") else _of_cuda(0)


def default():
    """A handle's device: OPGRAPH_DEVICE, else CUDA where there is a device,
    else the host."""
    target = unnamed()
    if target is not UNNAMED:
        return target
    return _of_cuda(0) if cuda_device_count() else HOST


def of_arrays(places):
    """The target of arrays that lie at `places`, (device type, id) each; None
    where there are none."""
    ordinals = sorted({ordinal for kind, ordinal in places if kind == _CUDA})
    if len(ordinals) > 1:
        raise InvalidValueError(
            "the graph's arrays are on several CUDA devices: "
            + ", ".join(map(str, ordinals)))
    if ordinals:
        return _of_cuda(max(ordinals[0], 0))
    return HOST if places else None


class DeviceProperties:
    """A description of a CUDA device, for planning without one."""

    def __init__(self, text):
        self._text = text

    def serialize(self):
        """The JSON text."""
        return self._text

    def __repr__(self):
        return f"<device properties of {json.loads(self._text)['deviceName']}>"


def create_device_properties(device):
    """The description of CUDA device `device` of this machine, by ordinal, or
    of the one that JSON text from `serialize` describes."""
    if isinstance(device, int) and not isinstance(device, bool):
        return DeviceProperties(_native().describe_cuda_device(device))
    if not isinstance(device, str):
        raise ArgumentError(
            "create_device_properties: expected an ordinal or JSON text, got "
            f"{type(device).__name__}")
    try:
        known = json.loads(device)
    except ValueError as error:
        raise InvalidValueError(
            f"create_device_properties: the text is not JSON: {error}"
        ) from None
    if not isinstance(known, dict) or "deviceName" not in known:
        raise InvalidValueError(
            "create_device_properties: expected a JSON object with "
            "'deviceName'")
    return DeviceProperties(device)


def of_property(value):
    """The target of a `device_property` argument."""
    if isinstance(value, DeviceProperties):
        return Target(value.serialize())
    if isinstance(value, str):
        return Target(create_device_properties(value).serialize())
    raise ArgumentError(
        "pygraph: expected device_property to be made by "
        f"create_device_properties, or JSON text, got {type(value).__name__}")
