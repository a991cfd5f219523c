// Completion for shells and the page of the manual, from the table of commands. Pure.

type Words = {
  /** The words that may follow the name, such as `show`. */
  readonly verbs: ReadonlySet<string>
  /** Options with their meaning. */
  readonly options: ReadonlyMap<string, string>
}
type Option = readonly [flag: string, meaning: string]
/** A row of the table of commands. */
type Listed = {
  readonly name: string
  readonly usage: string
  readonly line: string
  readonly examples?: readonly string[]
  readonly options?: readonly Option[]
}
export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

const flagOf = (option: string): string => option.split(' ', 1)[0]!
const takesValue = (option: string): boolean => option.includes(' ')

function wordsOf(commands: readonly Listed[], everywhere: readonly Option[]): Map<string, Words> {
  const found = Map.groupBy(commands, ({ name }) => name)
  return new Map(
    [...found].map(([name, rows]) => {
      const verbs = rows
        .flatMap(({ usage }) => usage.split(' ')[1] ?? [])
        .flatMap((word) => (/^[a-z][a-z|-]*$/.test(word) ? word.split('|') : []))
      const options = [...rows.flatMap((row) => row.options ?? []), ...everywhere].filter(
        ([option]) => option.startsWith('-') && option !== '-',
      )
      return [name, { verbs: new Set(verbs), options: new Map(options) }]
    }),
  )
}

/** `program`: the name that is completed, without a folder. */
export function completionFor(shell: Shell, program: string, commands: readonly Listed[], everywhere: readonly Option[]): string {
  const words = wordsOf(commands, everywhere)
  const lists = [...words].map(([name, { verbs, options }]) => [name, [...verbs, ...[...options.keys()].map(flagOf)].join(' ')] as const)
  const first = [...words.keys(), 'help', ...everywhere.map(([option]) => flagOf(option))].join(' ')
  const skipped = everywhere.filter(([option]) => takesValue(option)).map(([option]) => flagOf(option))
  if (shell === 'bash') return bash(program, first, lists, skipped)
  return shell === 'zsh' ? zsh(program, first, lists, skipped) : fish(program, words, commands, everywhere)
}

type Lists = readonly (readonly [name: string, words: string])[]
const functionOf = (program: string): string => `_${program.replaceAll(/\W/g, '_')}`

const bash = (program: string, first: string, lists: Lists, skipped: readonly string[]): string => `# Completion of ${program} for bash.
${functionOf(program)}() {
  local current=\${COMP_WORDS[COMP_CWORD]} name= words= at
  for ((at = 1; at < COMP_CWORD; at++)); do
    case \${COMP_WORDS[at]} in
      ${skipped.join('|')}) ((at++)) ;;
      -* | help) ;;
      *) name=\${COMP_WORDS[at]}; break ;;
    esac
  done
  case $name in
    '') words='${first}' ;;
${lists.map(([name, words]) => `    ${name}) words='${words}' ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F ${functionOf(program)} ${program}
`

const zsh = (program: string, first: string, lists: Lists, skipped: readonly string[]): string => `#compdef ${program}
# Completion of ${program} for zsh.
${functionOf(program)}() {
  local name= at
  local -a found
  for ((at = 2; at < CURRENT; at++)); do
    case $words[at] in
      (${skipped.join('|')}) ((at++)) ;;
      (-*|help) ;;
      (*) name=$words[at]; break ;;
    esac
  done
  case $name in
    ('') found=(${first}) ;;
${lists.map(([name, words]) => `    (${name}) found=(${words}) ;;`).join('\n')}
  esac
  compadd -a found
  [[ -n $name ]] && _files
}
compdef ${functionOf(program)} ${program}
`

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
function fish(program: string, words: Map<string, Words>, commands: readonly Listed[], everywhere: readonly Option[]): string {
  const start = `complete -c ${program}`
  const optionLine = (condition: string, [option, meaning]: Option): string => {
    const name = flagOf(option).replace(/^-+/, '')
    return `${start} -n ${condition} ${flagOf(option).startsWith('--') ? '-l' : '-s'} ${name}${takesValue(option) ? ' -r' : ''} -d ${quoted(meaning)}`
  }
  const named = [...words].flatMap(([name, { verbs, options }]) => {
    const condition = `'__fish_seen_subcommand_from ${name}'`
    return [
      `${start} -f -n __fish_use_subcommand -a ${name} -d ${quoted(commands.find((command) => command.name === name)?.line ?? '')}`,
      ...(verbs.size > 0 ? [`${start} -n ${condition} -a ${quoted([...verbs].join(' '))}`] : []),
      ...[...options].filter(([option]) => !everywhere.some(([other]) => other === option)).map((option) => optionLine(condition, option)),
    ]
  })
  return [`# Completion of ${program} for fish.`, ...named, ...everywhere.map((option) => optionLine("'true'", option)), ''].join('\n')
}

/** Text for roff, which reads a line that begins with a dot or an apostrophe as a request. */
const roff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&')
const entry = (title: string, text: string): string => `.TP\n.B ${roff(title)}\n${roff(text)}`

type Manual = {
  /** The command as a person types it. */
  readonly program: string
  /** The program in a few words. */
  readonly summary: string
  readonly version: string
  readonly commands: readonly Listed[]
  readonly options: readonly Option[]
  readonly statuses: readonly (readonly [status: number, meaning: string])[]
}
/** The page of the manual in section 1. */
export function manualPage({ program, summary, version, commands, options, statuses }: Manual): string {
  const name = program.replace(/^.*\//, '')
  const entries = commands.flatMap(({ usage, line, options: own = [] }) => [
    entry(`${program} ${usage}`.trimEnd(), `${line}.`),
    ...(own.length > 0 ? ['.RS', ...own.map(([flag, meaning]) => entry(flag, `${meaning}.`)), '.RE'] : []),
  ])
  const examples = commands.flatMap((command) => command.examples ?? [])
  return [
    `.TH ${name.toUpperCase()} 1 "" "Voice Studio ${version}" "User Commands"`,
    '.SH NAME',
    `${roff(name)} \\- ${roff(summary)}`,
    '.SH EXAMPLES',
    '.nf',
    ...examples.map(roff),
    '.fi',
    '.SH COMMANDS',
    ...entries,
    '.SH OPTIONS OF EVERY COMMAND',
    ...options.map(([flag, meaning]) => entry(flag, `${meaning}.`)),
    '.SH EXIT STATUS',
    ...statuses.map(([status, meaning]) => entry(String(status), meaning)),
    '',
  ].join('\n')
}
