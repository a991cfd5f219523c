# Speaks and listens with the OpenAI services of Pipecat. Prints one JSON object.
import asyncio
import io
import json
import sys
import wave

from pipecat.services.openai.stt import OpenAISTTService
from pipecat.services.openai.tts import OpenAITTSService

BASE = f"{sys.argv[1]}/v1"


async def main():
    tts = OpenAITTSService(api_key="x", base_url=BASE, voice="alloy", model="tts-1")
    tts._sample_rate = 24000
    sound = b""
    rates = set()
    async for frame in tts.run_tts("She bought some bread and milk at the store.", "context"):
        if hasattr(frame, "audio"):
            sound += frame.audio
            rates.add((frame.sample_rate, frame.num_channels))
    recording = io.BytesIO()
    with wave.open(recording, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(24000)
        file.writeframes(sound)
    stt = OpenAISTTService(api_key="x", base_url=BASE, model="tone")
    texts = [frame.text async for frame in stt.run_stt(recording.getvalue()) if hasattr(frame, "text")]
    print(json.dumps({"rates": sorted(rates), "spoken": len(sound) > 48000, "texts": texts}))


asyncio.run(asyncio.wait_for(main(), 120))
