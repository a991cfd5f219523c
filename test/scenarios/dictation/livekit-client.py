# Speaks and listens with the plugin of LiveKit Agents, whose recogniser uses /v1/realtime. Prints one JSON object.
import asyncio
import json
import sys

import aiohttp
from livekit import rtc
from livekit.agents import APIConnectOptions, stt, utils
from livekit.plugins import openai

URL = sys.argv[1]
OPTIONS = APIConnectOptions(max_retry=0)


async def main():
    async with aiohttp.ClientSession() as session:
        tts = openai.TTS(model="tts-1", voice="alloy", base_url=f"{URL}/v1", api_key="x", response_format="pcm")
        frames = []
        async with tts.synthesize("She bought some bread and milk at the store.", conn_options=OPTIONS) as stream:
            async for part in stream:
                frames.append(part.frame)
        speech = utils.merge_frames(frames)
        out = {"speech": [speech.sample_rate, speech.num_channels, speech.duration > 1]}
        recogniser = openai.STT(model="tone", language="en", use_realtime=True, base_url=f"{URL}/v1", api_key="x", vad=None)
        recogniser._session = session
        listening = recogniser.stream(conn_options=OPTIONS)
        quiet = rtc.AudioFrame(bytes(48000 * 2), 24000, 1, 48000)
        for frame in (speech, quiet):
            listening.push_frame(frame)
        seen = []
        async for event in listening:
            seen.append(event.type.value)
            if event.type == stt.SpeechEventType.FINAL_TRANSCRIPT:
                out["text"] = event.alternatives[0].text
                out["language"] = str(event.alternatives[0].language)
                break
        out["events"] = [kind for kind in seen if kind != "interim_transcript"]
        await listening.aclose()
        await recogniser.aclose()
    print(json.dumps(out))


asyncio.run(asyncio.wait_for(main(), 120))
