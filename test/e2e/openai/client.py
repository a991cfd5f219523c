# Calls of the official Python client against the studio at the first argument, with the recording at the second one. Prints one JSON object: the
# result of each call, or the class, status, code and parameter of its error.
import asyncio
import json
import pathlib
import sys

from openai import APIStatusError, AsyncOpenAI, OpenAI

BASE, RECORDING = f"{sys.argv[1]}/v1", pathlib.Path(sys.argv[2])
client = OpenAI(base_url=BASE, api_key="any", max_retries=0, timeout=90)
results = {}


def call(name, run):
    try:
        results[name] = run()
    except APIStatusError as error:
        results[name] = [type(error).__name__, error.status_code, error.code, error.param]
        assert error.request_id and error.request_id.startswith("req_"), name


def speak(**more):
    return client.audio.speech.create(**{"model": "tts-1", "voice": "alloy", "input": "Good evening.", "response_format": "wav", **more})


def hear(**more):
    return client.audio.transcriptions.create(**{"model": "whisper-1", "file": RECORDING, **more})


def streamed():
    with client.audio.speech.with_streaming_response.create(
        model="gpt-4o-mini-tts", voice="coral", input="One. Two. Three.", response_format="pcm"
    ) as answer:
        return sum(len(piece) for piece in answer.iter_bytes(4096)) > 10_000


async def together():
    other = AsyncOpenAI(base_url=BASE, api_key="any", max_retries=0, timeout=90)
    spoken = await asyncio.gather(
        *[other.audio.speech.create(model="tts-1", voice="alloy", input=f"Number {at}.", response_format="wav") for at in range(4)]
    )
    return [answer.content[:4].decode() for answer in spoken]


call("models", lambda: {"tts-1", "whisper-1"} <= {model.id for model in client.models.list()})
call("a model", lambda: client.models.retrieve("whisper-1").id)
call("no model", lambda: client.models.retrieve("gpt-99"))
call("speech", lambda: speak().read()[:4].decode())
call("speech in pieces", streamed)
call("four at once", lambda: asyncio.run(together()))
call("speech: unknown model", lambda: speak(model="gpt-99-tts"))
call("speech: engine not installed", lambda: speak(model="gpt-sovits"))
call("speech: too fast", lambda: speak(speed=8))
call("speech: no text", lambda: speak(input=""))
call("speech: unknown format", lambda: speak(response_format="aiff"))
call("json", lambda: hear().text)
call("text", lambda: hear(response_format="text"))
call("words", lambda: len(hear(response_format="verbose_json", timestamp_granularities=["word"]).words))
call("events", lambda: [event.type for event in hear(model="gpt-4o-transcribe", stream=True)])
call("speakers", lambda: sorted({segment.speaker for segment in hear(response_format="diarized_json").segments}))
call("transcription: unknown model", lambda: hear(model="whisper-7"))
call("transcription: a model of speech", lambda: hear(model="tts-1-hd"))
call("transcription: engine not installed", lambda: hear(model="faster-whisper"))
call("transcription: unknown format", lambda: hear(response_format="yaml"))
call("transcription: unknown granularity", lambda: hear(timestamp_granularities=["phoneme"]))
call("transcription: no recording", lambda: hear(file=("a.wav", b"")))
call("translation", lambda: client.audio.translations.create(model="whisper-1", file=RECORDING).text)
print(json.dumps(results))
