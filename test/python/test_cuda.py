# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans for CUDA devices from Python, through the stub driver of the unit
tests: a process opens one driver, so each test runs in a process of its own."""

import json
import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

PRELUDE = '''
import ctypes, sys
import numpy as np
import opgraph
stub = ctypes.CDLL({stub!r})
stub.stub_cuda_malloc.restype = ctypes.c_void_p
stub.stub_cuda_malloc.argtypes = [ctypes.c_int, ctypes.c_size_t, ctypes.c_int]
stub.stub_cuda_stream.restype = ctypes.c_void_p


class DeviceArray:
    """Memory of a stub device, in one of the forms that frameworks offer."""

    def __init__(self, values, device=0):
        values = np.ascontiguousarray(values)
        self.address = stub.stub_cuda_malloc(device, max(values.nbytes, 1), 0)
        held = (ctypes.c_char * values.nbytes).from_address(self.address)
        self.values = np.frombuffer(held, values.dtype).reshape(values.shape)
        self.values[...] = values
        self.device = device


class CudaArray(DeviceArray):
    @property
    def __cuda_array_interface__(self):
        return {{"shape": self.values.shape, "typestr": self.values.dtype.str,
                 "data": (self.address, False), "version": 3}}


class Producer(DeviceArray):
    """DLPack, with the device that the memory is on."""

    def __dlpack_device__(self):
        return 2, self.device

    def __dlpack__(self, *, max_version=None, stream=None):
        # Ordering is the caller's: no stream is to be waited for.
        assert stream == -1, stream
        capsule = self.values.__dlpack__()
        get = ctypes.pythonapi.PyCapsule_GetPointer
        get.restype = ctypes.c_void_p
        get.argtypes = [ctypes.py_object, ctypes.c_char_p]
        tensor = get(capsule, b"dltensor")
        # DLTensor: data, then the device's type and id.
        ctypes.c_int32.from_address(tensor + 8).value = 2
        ctypes.c_int32.from_address(tensor + 12).value = self.device
        return capsule


def arrays(kind=CudaArray, device=0):
    return {{1: kind(np.arange(8, dtype=np.float32), device),
             2: kind(np.full(8, 10, np.float32), device),
             3: kind(np.zeros(8, np.float32), device)}}


def summed(pack):
    return np.array_equal(pack[3].values, np.arange(8) + 10)


def refused(kind, text, call):
    try:
        call()
    except kind as error:
        assert text in str(error), error
    else:
        raise AssertionError("expected " + kind.__name__ + ": " + text)


plan = opgraph.load_plan({plan!r}) if {plan!r} else None
'''


@pytest.fixture
def stub(build_dir):
    return build_dir / "lib" / "libopgraph_stub_cuda.so"


@pytest.fixture
def run(build_dir, stub, tmp_path):
    """Runs code in a process whose driver is the stub, with the plan `kind`."""
    def call(code, kind=None, library=None, **environment):
        file = tmp_path / "plan.ogplan"
        if kind:
            subprocess.run([build_dir / "test/unit/WriteCudaPlan", file, kind],
                           check=True)
        text = PRELUDE.format(stub=str(stub), plan=str(file) if kind else "")
        known = {**os.environ, "OPGRAPH_LIBCUDA": str(library or stub),
                 "PYTHONPATH": str(build_dir / "python"),
                 "OPGRAPH_DEBUG_POISON": "0", **environment}
        if "OPGRAPH_DEVICE" not in environment:
            known.pop("OPGRAPH_DEVICE", None)
        done = subprocess.run([sys.executable, "-c",
                               text + textwrap.dedent(code)],
                              env=known, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout
    return call


def test_operands_of_every_form(run):
    run('''
        for kind in (CudaArray, Producer):
            pack = arrays(kind)
            plan.execute(pack)
            assert summed(pack), kind
        pack = arrays()
        plan.execute({uid: array.address for uid, array in pack.items()})
        assert summed(pack)
    ''', "static")


def test_tensors_with_an_exchange_api(run):
    """As torch's, which need no capsule."""
    run('''
        class DLTensor(ctypes.Structure):
            _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32),
                        ("id", ctypes.c_int32), ("ndim", ctypes.c_int32),
                        ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                        ("lanes", ctypes.c_uint16),
                        ("shape", ctypes.POINTER(ctypes.c_int64)),
                        ("strides", ctypes.POINTER(ctypes.c_int64)),
                        ("offset", ctypes.c_uint64)]

        Read = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object,
                                 ctypes.POINTER(DLTensor))
        calls = []

        @Read
        def read(array, out):
            calls.append(array)
            t = out[0]
            t.data, t.device, t.id = array.address, 2, array.device
            t.ndim, t.code, t.bits, t.lanes = 1, 2, 32, 1
            t.shape, t.strides, t.offset = array.shape, array.strides, 0
            return 0

        class Table(ctypes.Structure):
            _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32),
                        ("previous", ctypes.c_void_p),
                        ("allocate", ctypes.c_void_p),
                        ("from_object", ctypes.c_void_p),
                        ("to_object", ctypes.c_void_p), ("read", Read),
                        ("stream", ctypes.c_void_p)]

        def capsule(table):
            make = ctypes.pythonapi.PyCapsule_New
            make.restype = ctypes.py_object
            make.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
            return make(ctypes.addressof(table), b"dlpack_exchange_api", None)

        def tensor_type(module, major=1):
            class Tensor(Producer):
                def __init__(self, *arguments):
                    super().__init__(*arguments)
                    self.shape = (ctypes.c_int64 * 1)(len(self.values))
                    self.strides = (ctypes.c_int64 * 1)(1)
            Tensor.__module__ = module
            Tensor.table = Table(major=major, read=read)
            Tensor.__dlpack_c_exchange_api__ = capsule(Tensor.table)
            return Tensor

        for module, major, count in (("torch", 1, 3), ("other", 1, 2),
                                     ("torch", 9, 0)):
            del calls[:]
            pack = arrays(tensor_type(module, major))
            plan.execute(pack)
            # An output's producer may want it read-only: torch never does.
            assert summed(pack) and len(calls) == count, (module, len(calls))
    ''', "static")


def test_a_plan_says_where_it_runs(run):
    run('''
        assert plan.on_cuda
        about = plan.describe()
        assert about["device"] == "cuda" and about["variant"] == ""
        kernel, = about["kernels"]
        assert kernel["name"] == "opgraph_add_f32"
        assert kernel["threads"] == 256 and kernel["cluster"] == (1, 1, 1)
        plan.prepare(0)
        assert plan.describe()["variant"] == "sm_90a"
        assert stub.stub_cuda_count(b"cuModuleLoadDataEx") == 1
        plan.execute(arrays())
        assert stub.stub_cuda_count(b"cuModuleLoadDataEx") == 1
    ''', "static")


def test_operands_elsewhere_are_refused(run):
    run('''
        refused(ValueError, "operand 'x' (uid 1) is on device type 1",
                lambda: plan.execute({**arrays(), 1: np.zeros(8, np.float32)}))
        host = np.zeros(8, np.float32)
        refused(ValueError, "operand 'x' (uid 1)", lambda: plan.execute(
            {**arrays(), 1: host.ctypes.data}))
        refused(ValueError, "output 'out' (uid 3) is on CUDA device 1",
                lambda: plan.execute({**arrays(), 3: arrays(device=1)[3]}))
        refused(ValueError, "is missing", lambda: plan.execute({}))
    ''', "static")


def test_workspaces(run):
    run('''
        size = plan.workspace_size()
        assert size == 512
        pack = arrays()
        # The base is moved up to 256 bytes.
        space = CudaArray(np.zeros(600, np.uint8))
        plan.execute(pack, space.address + 64)
        assert summed(pack) and space.values[:256].sum() == 0
        assert (space.values[256:512] == 7).all()
        plan.execute(pack, CudaArray(np.zeros(size, np.uint8)))
        refused(ValueError, "the workspace is null",
                lambda: plan.execute(pack))
        refused(ValueError, "the workspace has 100 bytes, expected 256",
                lambda: plan.execute(pack, CudaArray(np.zeros(100, np.uint8))))
        refused(ValueError, "the workspace is memory of the host",
                lambda: plan.execute(pack, np.zeros(size, np.uint8)))
    ''', "workspace")


def test_overrides(run):
    run('''
        pack = {1: CudaArray(np.arange(20, dtype=np.float32)),
                2: CudaArray(np.ones(20, np.float32)),
                3: CudaArray(np.zeros(20, np.float32))}
        plan.execute(pack, override_uids=[1], override_shapes=[[20]],
                     override_strides=[[1]])
        assert np.array_equal(pack[3].values, np.arange(20) + 1)
    ''', "overridable")


def test_streams_and_handles(run):
    run('''
        handle = opgraph.create_handle()
        assert handle.device == "cuda:0"
        stream = stub.stub_cuda_stream(0, 1)
        opgraph.set_stream(handle, stream)
        assert opgraph.get_stream(handle) == stream

        class Stream:
            cuda_stream = stream
        opgraph.set_stream(handle, 0)
        opgraph.set_stream(handle, Stream())
        assert handle.stream == stream
        refused(TypeError, "expected a stream",
                lambda: opgraph.set_stream(handle, "default"))
        refused(RuntimeError, "expected the address of a stream",
                lambda: opgraph.set_stream(handle, -1))
        data = plan.serialize()
        graph = opgraph.pygraph(handle=handle)
        graph.deserialize(handle, data)
        assert stub.stub_cuda_count(b"cuModuleLoadDataEx") == 1
        pack = arrays()
        graph.execute(pack)
        graph.execute(pack, stream=0)
        other = opgraph.create_handle(device=1)
        assert other.device == "cuda:1"
        refused(ValueError, "is on CUDA device 0, the handle is of device 1",
                lambda: graph.execute(arrays(Producer), handle=other))
        refused(TypeError, "expected handle to be",
                lambda: graph.execute(pack, handle=7))
        refused(ValueError, "another context", lambda: graph.execute(
            pack, stream=stub.stub_cuda_stream(1, 1)))
        assert opgraph.create_handle("host").device == "host"
        refused(Exception, "no CUDA device 2",
                lambda: opgraph.create_handle("cuda:2"))
    ''', "static")


def test_a_capture_needs_a_prepared_plan(run):
    run('''
        stream = stub.stub_cuda_stream(0, 1)
        stub.stub_cuda_capture(ctypes.c_void_p(stream), 1)
        refused(opgraph.Error, "call og_plan_prepare before the capture",
                lambda: plan.execute(arrays(), stream=stream))
        plan.prepare(0)
        plan.execute(arrays(), stream=stream)
    ''', "static")


def test_cuda_graphs(run):
    run('''
        for name in "graph", "run_graph", "free_graph":
            getattr(stub, "stub_cuda_" + name).argtypes = \
                [ctypes.c_void_p] * (name != "graph")
        stub.stub_cuda_graph.restype = ctypes.c_void_p

        class Graph:
            address = stub.stub_cuda_graph()

            def raw_cuda_graph(self):
                return self.address
        handle = opgraph.create_handle()
        graph = opgraph.pygraph(handle=handle)
        graph.deserialize(handle, plan.serialize())
        pack, other = arrays(), arrays()
        graph.populate_cuda_graph(handle, pack, None, Graph())
        stub.stub_cuda_run_graph(Graph.address)
        assert summed(pack)
        graph.update_cuda_graph(handle, other, None, Graph.address)
        stub.stub_cuda_run_graph(Graph.address)
        assert summed(other)
        refused(RuntimeError, "expected an empty CUDA graph",
                lambda: graph.populate_cuda_graph(handle, pack, None, Graph()))
        refused(TypeError, "expected a CUDA graph",
                lambda: graph.update_cuda_graph(handle, pack, None, None))
        # The graph keeps the plan.
        del graph, globals()["plan"]
        stub.stub_cuda_run_graph(Graph.address)
        stub.stub_cuda_free_graph(Graph.address)
    ''', "static")


def test_overrides_in_cuda_graphs(run):
    run('''
        stub.stub_cuda_graph.restype = ctypes.c_void_p
        stub.stub_cuda_run_graph.argtypes = [ctypes.c_void_p]
        address = stub.stub_cuda_graph()
        handle = opgraph.create_handle()
        graph = opgraph.pygraph(handle=handle)
        graph.deserialize(handle, plan.serialize())

        def call(count):
            pack = {1: CudaArray(np.arange(count, dtype=np.float32)),
                    2: CudaArray(np.ones(count, np.float32)),
                    3: CudaArray(np.zeros(count, np.float32))}
            return pack, dict(override_uids=[1], override_shapes=[[count]],
                              override_strides=[[1]])
        for count, write in (20, graph.populate_cuda_graph), \
                (30, graph.update_cuda_graph):
            pack, overrides = call(count)
            write(handle, pack, None, address, **overrides)
            stub.stub_cuda_run_graph(address)
            assert np.array_equal(pack[3].values, np.arange(count) + 1)
        refused(ValueError, "expected",
                lambda: graph.update_cuda_graph(handle, pack, None, address,
                                                [1], [[20, 2]], [[2, 1]]))
    ''', "overridable")


def test_threads_execute_one_plan(run):
    run('''
        import threading
        packs = [arrays() for _ in range(4)]

        def work(pack):
            for _ in range(100):
                pack[3].values[...] = 0
                plan.execute(pack)
                assert summed(pack)
        threads = [threading.Thread(target=work, args=(p,)) for p in packs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert all(map(summed, packs))
    ''', "static")


@pytest.fixture
def command(build_dir, stub, tmp_path):
    """Runs `opgraph <arguments> FILE` on a plan file, with the stub driver."""
    def call(kind, *arguments, **environment):
        file = tmp_path / "plan.ogplan"
        subprocess.run([build_dir / "test/unit/WriteCudaPlan", file, kind],
                       check=True)
        return subprocess.run(
            [build_dir / "bin/opgraph", *arguments[:1], file, *arguments[1:]],
            env={**os.environ, "OPGRAPH_LIBCUDA": str(stub), **environment},
            capture_output=True, text=True)
    return call


def test_the_command_line_runs_a_plan(command, tmp_path):
    x, y = np.arange(8, dtype=np.float32), np.full(8, 3, np.float32)
    np.save(tmp_path / "x.npy", x)
    np.save(tmp_path / "y.npy", y)
    for kind in ("static", "workspace"):
        done = command(kind, "run", "--input", f"x={tmp_path}/x.npy", "--input",
                       f"y={tmp_path}/y.npy", "--repeat", "2", "--save-outputs",
                       str(tmp_path))
        assert done.returncode == 0, done.stderr
        assert np.array_equal(np.load(tmp_path / "out.3.npy"), x + y)
    done = command("static", "run", "--device", "cuda:1")
    assert done.returncode == 3
    assert "CUDA device 1 is sm_80" in done.stderr
    done = command("static", "run", OPGRAPH_STUB_CUDA="devices=0")
    assert done.returncode != 0 and "finds no device" in done.stderr


def test_the_command_line_shows_kernels(command):
    done = command("static", "inspect")
    assert done.returncode == 0, done.stderr
    row, = [line for line in done.stdout.splitlines()
            if line.startswith("opgraph_add_f32")]
    assert row.split()[:3] == ["opgraph_add_f32", "256", "16"]
    done = command("static", "inspect", "--json")
    kernel, = json.loads(done.stdout)["kernels"]
    assert kernel["cluster"] == [1, 1, 1] and kernel["spill_loads"] == 0


def test_without_a_driver(run):
    run('''
        assert opgraph.cuda_device_count() == 0
        assert opgraph.create_handle().device == "host"
        refused(opgraph.Error, "no CUDA driver",
                lambda: opgraph.create_handle("cuda"))
        refused(opgraph.Error, "no CUDA driver", lambda: plan.prepare(0))
        refused(opgraph.Error, "no CUDA driver", lambda: plan.execute(arrays()))
    ''', "static", library="/nowhere/libcuda.so.1")


@pytest.mark.parametrize("settings, text", [
    ("devices=0", "finds no device"),
    ("version=11040", "is of version 11.4, expected at least 11.8"),
    ("capability=80", "has code for sm_90a (cubin); CUDA device 0 is sm_80"),
])
def test_drivers_and_devices_that_cannot_run_it(run, settings, text):
    run(f'''
        refused(opgraph.Error, {text!r}, lambda: plan.prepare(0))
        refused(opgraph.Error, {text!r}, lambda: plan.execute(arrays()))
    ''', "static", OPGRAPH_STUB_CUDA=settings)


def test_device_properties(run):
    run('''
        import json
        known = opgraph.create_device_properties(0)
        text = known.serialize()
        assert json.loads(text)["deviceVer"] == 900
        again = opgraph.create_device_properties(text)
        assert again.serialize() == text
        assert "Stub GPU 0" in repr(again)
        assert opgraph.cuda_device_count() == 2
        refused(opgraph.Error, "no CUDA device 9",
                lambda: opgraph.create_device_properties(9))
        refused(RuntimeError, "is not JSON",
                lambda: opgraph.create_device_properties("sm_90"))
        refused(TypeError, "expected an ordinal or JSON text",
                lambda: opgraph.create_device_properties(1.5))
        refused(TypeError, "expected device_property to be made by",
                lambda: opgraph.pygraph(device_property=7))
    ''')


def test_what_a_graph_is_planned_for(run):
    """The target, in order: given, property, handle, arrays, environment, CUDA
    where it is."""
    run('''
        from opgraph import _device
        T = opgraph.data_type.FLOAT

        def target(**more):
            graph = opgraph.pygraph(io_data_type=T, compute_data_type=T, **more)
            graph.relu(graph.tensor([8]))
            return graph._planned_for()
        assert target() is _device.UNNAMED
        assert target(device="host") == _device.HOST
        assert target(device="cpu") == _device.HOST
        assert target(device="cuda:1").ordinal == 1
        assert target(device=1).name == "cuda:1"
        assert '"deviceVer":800' in target(device=1).text
        known = opgraph.create_device_properties(1)
        assert target(device_property=known).ordinal is None
        assert target(device_property=known).text == known.serialize()
        handle = opgraph.create_handle("host")
        assert target(handle=handle) == _device.HOST
        assert target(handle=handle, device="cuda").ordinal == 0
        graph = opgraph.pygraph(io_data_type=T, compute_data_type=T)
        graph.relu(np.zeros(8, np.float32))
        assert graph._planned_for() == _device.HOST
        graph = opgraph.pygraph(io_data_type=T, compute_data_type=T)
        graph.relu(arrays(Producer, 1)[1])
        assert graph._planned_for().ordinal == 1
        graph.add(arrays(Producer, 1)[1], arrays(Producer, 0)[1])
        graph._target = None
        refused(RuntimeError, "several CUDA devices: 0, 1", graph._planned_for)
        for wrong in ("cuda:", True, None):
            refused(opgraph.Error, "expected",
                    lambda: _device.parse("test", wrong))
    ''')


def test_the_environment_names_the_device(run):
    run('''
        assert opgraph.create_handle().device == "host"
        assert opgraph.create_handle("cuda").device == "cuda:0"
    ''', OPGRAPH_DEVICE="host")
    run('''
        assert opgraph.create_handle().device == "cuda:1"
    ''', OPGRAPH_DEVICE="cuda:1")


def test_kernels_of_a_described_device_are_explained(run):
    """No GPU: the stub is not even asked."""
    run('''
        import json
        T = opgraph.data_type.FLOAT
        graph = opgraph.pygraph(io_data_type=T, compute_data_type=T,
                                device="sm_90a")
        graph.relu(graph.tensor([64, 64])).set_output(True)
        graph.build()
        explained = json.loads(graph.explain(as_json=True))
        kernel, = explained["plans"][0]["kernels"]
        assert kernel["name"].startswith("opgraph_map_f32")
        assert kernel["max_warps_per_sm"] == 64
        assert kernel["spill_stores"] in (0, None)
        if kernel["registers"]:
            warps = kernel["blocks_per_sm"] * kernel["threads"] // 32
            assert 0 < kernel["warps_per_sm"] == warps <= 64
        assert "warps/SM" in graph.explain()
        about = opgraph.load_plan(graph.serialize(as_bytes=True)).describe()
        assert about["kernels"][0]["warps_per_sm"] == \\
            (kernel["warps_per_sm"] or 0)
    ''', library="/nowhere/libcuda.so.1")


def test_lengths_are_not_read_by_the_pointwise_family(run):
    """Nothing on the device can be negative, decreasing or too large there: the
    engine declines what reads lengths or offsets, by name."""
    run('''
        T = opgraph.data_type
        graph = opgraph.pygraph(io_data_type=T.FLOAT, compute_data_type=T.FLOAT,
                                device="sm_90a")
        offsets = graph.tensor([3, 1, 1, 1], data_type=T.INT32)
        x = graph.tensor([2, 4, 8, 16], stride=[512, 16, 64, 1],
                         ragged_offset=offsets)
        graph.relu(x).set_output(True)
        try:
            graph.build()
        except opgraph.cudnnGraphNotSupportedError as error:
            assert "ragged" in str(error), error
        else:
            raise AssertionError("expected a decline")
    ''', library="/nowhere/libcuda.so.1")
