// The speech engines that clients list as plugins. This version contains none of them.

export type Plugin = {
  readonly id: string
  readonly display_name: string
  readonly requires_api_key: boolean
  readonly is_local: boolean
  readonly available: boolean
  readonly availability_message: string
  /** BCP 47, from the documentation of the publisher. */
  readonly supported_languages: readonly string[]
}

const absent = (name: string) => `This version does not contain ${name}. Choose an engine of the list of engines.`

export const PLUGINS: readonly Plugin[] = [
  {
    id: 'elevenlabs',
    display_name: 'ElevenLabs',
    requires_api_key: true,
    is_local: false,
    available: false,
    availability_message: absent('ElevenLabs'),
    supported_languages: 'ar bg cs da de el en es fi fil fr hi hr id it ja ko ms nl pl pt ro ru sk sv ta tr uk zh'.split(' '),
  },
  {
    id: 'bark',
    display_name: 'Bark',
    requires_api_key: false,
    is_local: true,
    available: false,
    availability_message: absent('Bark'),
    supported_languages: 'de en es fr hi it ja ko pl pt ru tr zh'.split(' '),
  },
]
