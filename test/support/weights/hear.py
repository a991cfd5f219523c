# Prints what faster-whisper hears in each file, as a JSON list: MODEL FILE…
import json
import sys

from faster_whisper import WhisperModel

model = WhisperModel(sys.argv[1], device="cpu", compute_type="int8")
texts = []
for path in sys.argv[2:]:
    segments, _ = model.transcribe(path, language="en", beam_size=5)
    texts.append(" ".join(segment.text for segment in segments))
print(json.dumps(texts))
