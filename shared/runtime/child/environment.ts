// The environment of child processes: the variables they need to run, none of our settings or secrets, and what keeps libraries and programs
// from talking to their makers. the table of docs/security.md says who reads which.
type Env = Readonly<Record<string, string | undefined>>

const PASSED_ON = [
  'PATH',
  'HOME',
  'LANG',
  'TMPDIR',
  // The same on Windows, with the folders of the system and of the user's programs.
  'SystemRoot',
  'TEMP',
  'TMP',
  'USERPROFILE',
  'LOCALAPPDATA',
  // The administrator of the machine selects the GPU, its driver and its libraries.
  'CUDA_VISIBLE_DEVICES',
  'LD_LIBRARY_PATH',
  'VK_ICD_FILENAMES',
  'VK_DRIVER_FILES',
  'VK_LOADER_DRIVERS_DISABLE',
  'NODE_COMPILE_CACHE',
  'VOICE_STUDIO_TEST_RUN',
]

/** Turns off the reports that libraries and programs send to their makers by default. The owner cannot turn them on by accident. */
export const SILENT: Readonly<Record<string, string>> = {
  ORT_DISABLE_TELEMETRY: '1',
  DO_NOT_TRACK: '1',
  HF_HUB_DISABLE_TELEMETRY: '1',
  DISABLE_TELEMETRY: '1',
  GRADIO_ANALYTICS_ENABLED: 'False',
  PYANNOTE_METRICS_ENABLED: '0',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
}

/**
 * Vulkan drivers that compute on the CPU: Mesa's lavapipe and SwiftShader. They are 100 times slower than the CPU provider of the runtime. The
 * value of the owner takes precedence; an empty one permits all drivers.
 */
const SOFTWARE_DRIVERS: Readonly<Record<string, string>> = { VK_LOADER_DRIVERS_DISABLE: '*lvp*,*swiftshader*' }

/**
 * No child plays sound. espeak-ng opens the sound server all the same, which creates folders in HOME and in the temporary folder, or starts a
 * server.
 */
const NO_SOUND: Readonly<Record<string, string>> = { PULSE_SERVER: 'unix:/nowhere' }

/** The environment with the variables that silence libraries. The others stay as they are. */
export const silentEnvironment = (env: Env): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
  ...SILENT,
})

/** `also`: further variables that this program needs. */
export const childEnvironment = (env: Env, also: readonly string[] = []): Record<string, string> =>
  silentEnvironment({ ...SOFTWARE_DRIVERS, ...NO_SOUND, ...given(env, [...PASSED_ON, ...also]) })

/** The variables of `names` that are set. */
const given = (env: Env, names: readonly string[]): Env =>
  Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))

/**
 * Silences libraries that this process loads itself: call it before their first import. In a worker thread it has no effect on native code.
 */
export function silenceProcess(): void {
  Object.assign(process.env, { ...SOFTWARE_DRIVERS, ...given(process.env, Object.keys(SOFTWARE_DRIVERS)), ...SILENT })
}
