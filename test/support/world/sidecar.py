# The example sidecar of docs/sidecar.md, with the Python standard library only. It generates tones and misbehaves if the text of a
# segment requests it, for the tests of the host.
import json
import math
import os
import struct
import subprocess
import sys
import threading
import time

RATE = 16000
lock = threading.Lock()
cancelled = set()


def say(header, payload=b""):
    if payload:
        header = {**header, "bytes": len(payload)}
    with lock:
        sys.stdout.buffer.write(json.dumps(header).encode() + b"\n" + payload)
        sys.stdout.buffer.flush()


def tone(samples, at):
    return b"".join(struct.pack("<h", int(8000 * math.sin(2 * math.pi * 220 * (at + i) / RATE))) for i in range(samples))


def misbehave(text):
    if "crash" in text:
        os._exit(3)
    if "hang" in text:
        time.sleep(3600)
    if "garbage" in text:
        with lock:
            os.write(1, b"Loading checkpoint shards: 100%\n")
    if "flood" in text:
        with lock:
            os.write(1, b"x" * (3 * 1024 * 1024))
    if "deaf" in text:
        time.sleep(3600)
    if "shout" in text:  # one line of 300 MB in the log
        for _ in range(300):
            os.write(2, "ß".encode() * (512 * 1024))
    if "chatter" in text:  # a million lines in the log
        for _ in range(1000):
            os.write(2, b"still here\n" * 1000)
    if "family" in text:  # a child and a grandchild that end with it
        script = "sleep 1000 & echo $! > grandchild.pid; sleep 1000"
        child = subprocess.Popen(["/bin/sh", "-c", script])
        while not (os.path.exists("grandchild.pid") and os.path.getsize("grandchild.pid")):
            time.sleep(0.01)
        with open("family.json", "w") as file:
            json.dump([os.getpid(), child.pid, int(open("grandchild.pid").read())], file)


def run(run_id, params):
    total = len(params["segments"])
    parts = []
    for part, segment in enumerate(params["segments"]):
        misbehave(segment["text"])
        if "refuse" in segment["text"]:
            return say({"type": "error", "id": run_id, "code": "INVALID_TASK_PARAMS", "message": "segments: it refuses"})
        if "busy" in segment["text"]:
            for step in range(100_000):
                say({"type": "progress", "id": run_id, "progress": step / 100_000, "stage": "counting"})
        made = 0
        pieces = 2000 if "long" in segment["text"] else 2
        for piece in range(pieces):
            if run_id in cancelled:
                return say({"type": "error", "id": run_id, "code": "CANCELLED", "message": "cancelled"})
            say({"type": "audio", "id": run_id, "part": part}, tone(1600, made))
            made += 1600
            if pieces > 2:
                time.sleep(0.01)
        if segment["pause_after_ms"] > 0:
            silent = int(RATE * segment["pause_after_ms"] / 1000)
            say({"type": "audio", "id": run_id, "part": part}, b"\0\0" * silent)
            made += silent
        parts.append({"samples": made + (1 if "lie" in segment["text"] else 0)})
        say({"type": "progress", "id": run_id, "progress": (part + 1) / total, "stage": "speaking"})
    say({"type": "result", "id": run_id, "result": {"sample_rate": RATE, "parts": parts, "voice": "tone", "notices": []}})


def main():
    if "--mute" in sys.argv:
        time.sleep(3600)
    print("the test sidecar starts", file=sys.stderr)
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            say({"type": "hello", "protocol": 2 if "--newer" in sys.argv else 1, "engine": message["engine"], "version": "1.0"})
        elif kind == "describe":
            voices = [{"id": "tone", "name": "Tone", "language": "en"}]
            say({"type": "describe", "sample_rate": RATE, "languages": ["en"], "voices": voices, "silence_seconds": 1.0})
        elif kind == "run":
            threading.Thread(target=run, args=(message["id"], message["params"]), daemon=True).start()
        elif kind == "cancel":
            cancelled.add(message["id"])
        elif kind == "bye":
            break


main()
