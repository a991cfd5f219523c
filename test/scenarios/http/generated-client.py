# Calls of a generated client against the studio at the first argument. Prints one JSON object: the class of each result and what it has.
import io
import json
import math
import os
import struct
import sys
import wave

from voice_studio_client import AuthenticatedClient, Client
from voice_studio_client.api.library import library_list_history
from voice_studio_client.api.speech import speech_list_voices
from voice_studio_client.api.system import system_health
from voice_studio_client.api.tools import tools_parse_direction
from voice_studio_client.api.voices import voices_create_profile, voices_read_profile, voices_read_profile_audio
from voice_studio_client.models import ToolsParseDirectionBody, VoicesCreateProfileBody
from voice_studio_client.types import File

results = {}


def call(name, operation, *values, client, **named):
    answer = operation.sync_detailed(*values, client=client, **named)
    return results.setdefault(name, [type(answer.parsed).__name__]), answer


def recording():
    """Four seconds of a tone as WAV."""
    bytes_ = io.BytesIO()
    with wave.open(bytes_, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(16_000)
        sound.writeframes(b"".join(struct.pack("<h", int(9_000 * math.sin(at / 10))) for at in range(64_000)))
    return io.BytesIO(bytes_.getvalue())


with AuthenticatedClient(base_url=sys.argv[1], token=os.environ["STUDIO_API_KEY"]) as studio:
    row, answer = call("health", system_health, client=studio)
    row.append(answer.parsed.status)
    row, answer = call("voices", speech_list_voices, client=studio)
    row.append(isinstance(answer.parsed.voices, list))
    row, answer = call("direction", tools_parse_direction, client=studio, body=ToolsParseDirectionBody(text="calm and slow"))
    row.append("calm" in answer.parsed.instruct_prompt)
    row, answer = call("unknown voice", voices_read_profile, "none", client=studio)
    row += [answer.status_code, answer.parsed.detail]
    row, answer = call("a text that is too long", tools_parse_direction, client=studio, body=ToolsParseDirectionBody(text="a" * 2001))
    row += [answer.status_code, answer.parsed.detail[0].loc]
    body = VoicesCreateProfileBody(name="Ada", ref_audio=File(payload=recording(), file_name="ada.wav", mime_type="audio/wav"))
    row, answer = call("a form with a file", voices_create_profile, client=studio, body=body)
    row.append(answer.parsed.name)
    row, answer = call("a file", voices_read_profile_audio, answer.parsed.id, client=studio)
    row.append(answer.parsed.payload.read(4).decode())
    results["history"] = library_list_history.sync(client=studio)

with Client(base_url=sys.argv[1]) as stranger:
    row, answer = call("no credential", library_list_history, client=stranger)
    row += [answer.status_code, isinstance(answer.parsed.detail, str)]

print(json.dumps(results))
