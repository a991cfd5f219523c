// Names that are the same in every language: of the command, of engines and of systems.

/** Names of the engines by their ids, from the page of the studio. */
const engines: Readonly<Record<string, string>> = /* @__PURE__ */ (() =>
  JSON.parse(globalThis.document?.querySelector('meta[name="studio-engines"]')?.getAttribute('content') ?? '{}'))()
/** The name of the command line: COMMAND of #shared/protocol/version.ts, which a browser cannot load. */
export const COMMAND = './studio'

/** An engine that an owner added is called by its id. */
export const engineName = (id: string) => (Object.hasOwn(engines, id) ? (engines[id] ?? id) : id)

const systems: Readonly<Record<string, string>> = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' }
/** A machine may report any text. */
export const systemName = (os: string) => (Object.hasOwn(systems, os) ? (systems[os] ?? os) : os)

/** The engine that is built in, and speaks with an embedded voice while its model is not installed. */
const OWN_ENGINE = 'svc-engine'
/** The voices of Flite, the embedded voice of earlier versions and of machines without the neural runtime. */
const FLITE = ['slt', 'rms', 'awb', 'kal', 'kal16']

/** The engine that spoke a take; '' if it was not recorded. Other substitutes are recorded as the engine. */
export const spokenBy = ({ engine, routing, voice }: { engine: string; routing: string; voice: string }) =>
  routing === 'stand_in' && engine === OWN_ENGINE ? engineName(FLITE.includes(voice) ? 'flite' : 'heart') : engineName(engine)
