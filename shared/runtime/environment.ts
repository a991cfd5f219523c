// The environment of child processes: the variables they need to run, and none of our settings or secrets.
type Env = Readonly<Record<string, string | undefined>>

const PASSED_ON = [
  'PATH',
  'HOME',
  'LANG',
  'TMPDIR',
  // The administrator of the machine selects the GPU and its libraries.
  'CUDA_VISIBLE_DEVICES',
  'LD_LIBRARY_PATH',
  'VK_ICD_FILENAMES',
  'VK_DRIVER_FILES',
  'NODE_COMPILE_CACHE',
  'VOICE_STUDIO_TEST_RUN',
]

/** `also`: further variables that this program needs. */
export const childEnvironment = (env: Env, also: readonly string[] = []): Record<string, string> =>
  Object.fromEntries([...PASSED_ON, ...also].flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
