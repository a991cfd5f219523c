# Runs one step of a reference program on cases from standard input, and writes what it makes of them. Argument: the name of the program. Packages are on
# PYTHONPATH, without their dependencies.
import importlib.util
import json
import sys
import types
from pathlib import Path


def found(name):
    """The file of a module of a package, without running the package."""
    package, *rest = name.split(".")
    place = next(Path(entry) for entry in sys.path if (Path(entry) / package).is_dir())
    return place.joinpath(package, *rest).with_suffix(".py")


def loaded(name):
    spec = importlib.util.spec_from_file_location(name.replace(".", "_"), found(name))
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def pocket(cases):
    import yaml

    # The text needs the name of this class only, and its module needs torch.
    for name in ("pocket_tts", "pocket_tts.modules", "pocket_tts.modules.text_conditioner"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules["pocket_tts.modules.text_conditioner"].Tokenizer = object
    prepare = loaded("pocket_tts.models.text_chunking").prepare_text_prompt
    configs = {}
    for case in cases:
        language = case["language"]
        if language not in configs:
            configs[language] = yaml.safe_load(found("pocket_tts.config." + language).with_suffix(".yaml").read_text())
        config = configs[language]
        semicolons = config.get("remove_semicolons", False)
        padded = config.get("pad_with_spaces_for_short_inputs", False)
        text, frames = prepare(case["text"], padded, semicolons, replace_characters=config.get("replace_characters"))
        yield {"text": text, "frames": frames, "remove_semicolons": semicolons, "padded": padded}


def kitten(cases):
    chunks = loaded("kittenml.preprocess").chunk_text
    for case in cases:
        yield chunks(case["text"])


def sentencepiece(cases):
    from sentencepiece import SentencePieceProcessor

    models = {}
    for case in cases:
        model = models.setdefault(case["model"], SentencePieceProcessor(model_file=case["model"]))
        yield model.encode(case["text"])


programs = {"pocket": pocket, "kitten": kitten, "sentencepiece": sentencepiece}
print(json.dumps(list(programs[sys.argv[1]](json.load(sys.stdin)))))
