# Speaks and listens through the Wyoming port with the package `wyoming`, as Home Assistant does. Prints one JSON object.
import asyncio
import json
import sys

from wyoming.asr import Transcribe, Transcript
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.client import AsyncTcpClient
from wyoming.info import Describe, Info
from wyoming.ping import Ping, Pong
from wyoming.tts import Synthesize, SynthesizeChunk, SynthesizeStart, SynthesizeStop, SynthesizeStopped, SynthesizeVoice

PORT = int(sys.argv[1])


async def until(client, kind):
    events = []
    while True:
        event = await client.read_event()
        if event is None:
            raise RuntimeError(f"closed after {[each.type for each in events]}")
        events.append(event)
        if kind.is_type(event.type):
            return events


def seconds(events):
    chunks = [AudioChunk.from_event(event) for event in events if AudioChunk.is_type(event.type)]
    return sum(chunk.seconds for chunk in chunks), {(chunk.rate, chunk.width, chunk.channels) for chunk in chunks}, b"".join(chunk.audio for chunk in chunks)


async def main():
    out = {}
    async with AsyncTcpClient("127.0.0.1", PORT) as client:
        await client.write_event(Ping("are you there").event())
        out["pong"] = Pong.from_event((await until(client, Pong))[-1]).text
        await client.write_event(Describe().event())
        info = Info.from_event((await until(client, Info))[-1])
        out["tts"] = [(program.name, program.installed, program.supports_synthesize_streaming) for program in info.tts]
        out["voices"] = [voice.name for program in info.tts for voice in program.voices]
        out["asr"] = [(program.name, [model.name for model in program.models]) for program in info.asr]
        out["english"] = any("en" in model.languages for program in info.asr for model in program.models)
    text = "Good morning. The meeting starts at nine."
    async with AsyncTcpClient("127.0.0.1", PORT) as client:
        await client.write_event(Synthesize(text=text, voice=SynthesizeVoice(name="default")).event())
        events = await until(client, AudioStop)
        length, formats, audio = seconds(events)
        out["spoken"] = [AudioStart.is_type(events[0].type), length > 1, sorted(formats)]
    async with AsyncTcpClient("127.0.0.1", PORT) as client:
        await client.write_event(SynthesizeStart().event())
        for chunk in ("Good mor", "ning. The mee", "ting starts ", "at nine."):
            await client.write_event(SynthesizeChunk(text=chunk).event())
        await client.write_event(Synthesize(text=text).event())
        await client.write_event(SynthesizeStop().event())
        events = await until(client, SynthesizeStopped)
        streamed, formats, _ = seconds(events)
        out["streamed"] = [sum(AudioStart.is_type(event.type) for event in events), sum(AudioStop.is_type(event.type) for event in events), abs(streamed - length) < 1]
    async with AsyncTcpClient("127.0.0.1", PORT) as client:
        await client.write_event(Transcribe(language="en").event())
        await client.write_event(AudioStart(rate=24000, width=2, channels=1).event())
        for at in range(0, len(audio), 2048):
            await client.write_event(AudioChunk(rate=24000, width=2, channels=1, audio=audio[at : at + 2048]).event())
        await client.write_event(AudioStop().event())
        out["transcript"] = Transcript.from_event((await until(client, Transcript))[-1]).text
    print(json.dumps(out))


asyncio.run(asyncio.wait_for(main(), 120))
