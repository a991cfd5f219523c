# A program of others with the weights of this machine, one request a line: {"text": …} for speech, {"audio": PATH} for recognition. Prints a line with the
# seconds of sound, processor seconds, milliseconds to the first sound and to the end, and the peak of its memory in MiB.
import asyncio
import importlib.metadata
import json
import os
import sys
import time

program, options = sys.argv[1], json.loads(sys.argv[2])


def kokoro_voices():
    import numpy

    path = os.path.join(options["scratch"], "voices.npz")
    if not os.path.exists(path):
        tables = {name: numpy.fromfile(file, dtype=numpy.float32).reshape(-1, 1, 256) for name, file in options["voices"].items()}
        numpy.savez(path, **tables)
    return path


def drain(stream, seconds_of):
    """Seconds of sound of an asynchronous stream, and when the first sound came."""

    async def run():
        seconds, first = 0.0, None
        async for piece in stream:
            first = first or time.perf_counter()
            seconds += seconds_of(piece)
        return seconds, first

    return asyncio.run(run())


def open_kokoro_onnx():
    from kokoro_onnx import Kokoro

    voice = Kokoro(options["graph"], kokoro_voices())
    return lambda request: drain(voice.create_stream(request["text"], options["voice"]), lambda piece: len(piece[0]) / piece[1])


def open_fastkokoro():
    os.environ.update(
        FASTKOKORO_MODEL_PATH=options["graph"],
        FASTKOKORO_VOICES_PATH=kokoro_voices(),
        FASTKOKORO_CACHE_DIR=options["scratch"],
    )
    from fastkokoro import FastKokoro

    voice = FastKokoro()
    return lambda request: drain(
        voice.create_stream(request["text"], voice=options["voice"], response_format="pcm"), lambda piece: len(piece) / 2 / 24_000
    )


def open_piper():
    from piper import PiperVoice

    voice = PiperVoice.load(options["graph"])

    def speak(request):
        seconds, first = 0.0, None
        for piece in voice.synthesize(request["text"]):
            first = first or time.perf_counter()
            seconds += len(piece.audio_int16_bytes) / 2 / piece.sample_rate
        return seconds, first

    return speak


def open_faster_whisper():
    from faster_whisper import WhisperModel

    model = WhisperModel(options["model"], device="cpu", compute_type="int8", local_files_only=True)

    def hear(request):
        segments, info = model.transcribe(request["audio"], word_timestamps=True, vad_filter=True)
        if not "".join(segment.text for segment in segments).strip():
            raise RuntimeError("the transcript is empty")
        return info.duration, None

    return hear


def peak_mib():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024


def processor_seconds():
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


openings = {
    "kokoro-onnx": open_kokoro_onnx,
    "fastkokoro": open_fastkokoro,
    "piper-tts": open_piper,
    "faster-whisper": open_faster_whisper,
}
replies = os.fdopen(os.dup(1), "w", buffering=1)
os.dup2(2, 1)  # what the libraries print is no reply
run = openings[program]()
print(json.dumps({"version": importlib.metadata.version(program)}), file=replies)
for line in sys.stdin:
    used, began = processor_seconds(), time.perf_counter()
    seconds, first = run(json.loads(line))
    ended = time.perf_counter()
    answer = {
        "seconds": seconds,
        "cpu": processor_seconds() - used,
        "firstMs": (first - began) * 1000 if first else None,
        "totalMs": (ended - began) * 1000,
        "memoryMib": peak_mib(),
    }
    print(json.dumps(answer), file=replies)
