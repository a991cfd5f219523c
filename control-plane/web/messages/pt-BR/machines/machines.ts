// The words of the Machines page, in Brazilian Portuguese: the table and the machine beside it.
import { grouped, plural } from '../language.ts'
import { strings as shared } from '../shared.ts'

const tasks = (count: number) => plural(count, { one: '# tarefa', many: '# de tarefas', other: '# tarefas' })

const machines = (online: number, all: number) => {
  if (all === 0) return 'Nenhuma outra máquina ainda'
  if (all === 1) return online === 1 ? '1 máquina, on-line' : '1 máquina, off-line'
  if (online === 0) return `Todas as ${grouped(all)} máquinas estão off-line`
  return online === all ? `Todas as ${grouped(all)} máquinas estão on-line` : `${grouped(online)} de ${grouped(all)} máquinas on-line`
}

const page = {
  machines: 'Máquinas',
  views: 'Visualizações',
  tabs: { '': 'Emprestadas a mim', shared: 'Compartilhada por mim', routing: 'Roteamento', security: 'Segurança' },
  remote: (isOn: boolean) => `Máquinas remotas: ${isOn ? 'ativadas' : 'desativadas'}`,
  turnOn: 'Ativar máquinas remotas',
  turnOff: 'Desativar…',
  turnOffTitle: 'Desativar as máquinas remotas?',
  turnOffYes: 'Desativar',
  turnOffWarning:
    'Todas as máquinas são desconectadas e a porta é fechada. As tarefas delas são interrompidas. As máquinas continuam registradas e voltam quando você ativar isto de novo.',
  turnedOn: 'As máquinas remotas estão ativadas.',
  turnedOff: 'As máquinas remotas estão desativadas.',
  offNote: 'Enquanto isto estiver desativado, todo o trabalho fica nesta máquina e nenhuma outra pode entrar.',
  startError: (reason: string) => `Não foi possível ativar as máquinas remotas: ${reason}`,
  joinAt: 'As máquinas entram por ',
  counts: (online: number, all: number, running: number, waiting: number) =>
    [machines(online, all), running > 0 && `${tasks(running)} em andamento`, waiting > 0 && `${tasks(waiting)} em espera`]
      .filter(Boolean)
      .join(' · '),
  add: 'Adicionar uma máquina…',
  connect: 'Conectar com uma string…',
  routingNote: '“Roda em: Automático” escolhe a máquina que terminaria primeiro. ',
  routingLink: 'Ver onde cada tipo de trabalho roda',
}

const list = {
  find: 'Buscar uma máquina',
  findExample: 'Nome, dispositivo, endereço',
  state: 'Estado',
  all: (count: number) => `Todas (${grouped(count)})`,
  stateCount: (state: string, count: number) => `${state} (${grouped(count)})`,
  shown: (found: number, all: number) =>
    found === all
      ? plural(all, { one: '# máquina', many: '# de máquinas', other: '# máquinas' })
      : `${grouped(found)} de ${grouped(all)} máquinas`,
  showAll: 'Mostrar todas',
  empty: 'Por enquanto só esta máquina. Adicione uma com GPU para acelerar a locução.',
  noneFound: 'Nenhuma máquina corresponde.',
}

const states = {
  ready: 'Pronta',
  busy: 'Ocupada',
  draining: 'Finalizando',
  paused: 'Pausada',
  unapproved: 'Precisa de aprovação',
  off: 'Desativada',
  offline: 'Off-line',
  unresponsive: 'Não responde',
  quarantined: 'Em quarentena',
}

const table = {
  pool: (count: number) => plural(count, { one: 'Grupo de # máquina', many: 'Grupo de # de máquinas', other: 'Grupo de # máquinas' }),
  columns: {
    machine: 'Máquina',
    state: 'Estado',
    use: 'Uso para trabalho',
    memory: 'Memória da GPU',
    loaded: 'Carregado',
    latency: 'Latência',
    actions: 'Ação',
  },
  none: '—',
  working: (count: number) => `Executa ${tasks(count)}`,
  memoryUse: (used: string, all: string) => `${used} de ${all}`,
  memoryOf: (use: string) => `Memória da GPU: ${use}`,
  noGpu: 'Sem GPU',
  loaded: (names: string, more: number) => (more > 0 ? `${names} +${more}` : names),
}

const use = {
  names: { preferred: 'Preferida', automatic: 'Automático', low: 'Baixa prioridade', never: 'Nunca' },
  other: (priority: string) => `Prioridade ${priority}`,
  label: (name: string) => `Uso para trabalho: ${name}`,
  notYet: 'Nada é enviado ainda',
  saved: (name: string) => `Salvo para ${name}.`,
}

const card = {
  states,
  back: 'Todas as máquinas',
  facts: 'Detalhes',
  address: 'Endereço',
  key: 'Chave',
  reasonsLabel: 'Por que não recebe trabalho',
  device: 'Dispositivo',
  memory: 'Memória',
  system: 'Sistema',
  version: 'Versão do Voice Studio',
  outdated: (version: string) => `${version}, anterior a este estúdio. Atualize-a nessa máquina.`,
  models: 'Modelos carregados',
  none: 'Nenhum',
  runsNow: 'Em andamento',
  idle: 'Ociosa',
  latency: 'Latência',
  ms: (ms: number) => `${grouped(ms)}\u00a0ms`,
  lastSeen: 'Vista por último',
  now: 'Agora',
  priority: 'Prioridade',
  priorityOf: (priority: number) => (priority === 50 ? 'Normal' : `${priority > 50 ? 'Alta' : 'Baixa'} (${priority})`),
  unknown: 'Desconhecido',
  cpuOnly: (count: number) =>
    plural(count, { one: 'CPU, # núcleo, sem GPU', many: 'CPU, # de núcleos, sem GPU', other: 'CPU, # núcleos, sem GPU' }),
  gpu: (model: string, backend: string) => `${model} (${backend})`,
  unusableGpu: (model: string, reason: string) => `${model} (presente, não utilizável: ${reason})`,
  gpuMemory: (free: string, all: string) => `${free} de ${all} de memória da GPU livres`,
  systemMemory: (size: string) => `${size} de memória`,
  work: (engine: string, operation: string, stage: string) => `${work[operation] ?? operation} com ${engine}, ${stage}`,
  stages: { assigned: 'oferecida', accepted: 'aceita', model_loading: 'carregando o modelo', result_uploading: 'entregando' },

  resume: 'Retomar',
  approve: 'Aprovar',
  release: 'Liberar',
  log: 'Log',
  takeWork: 'Voltar a aceitar tarefas',
  turnOn: 'Ativar',
  turnOff: 'Desativar',
  menu: 'Mais ações',
  rename: 'Renomear ou definir prioridade',
  drain: 'Finalizar tarefas',
  drainHint: 'Finalizar tarefas: ela conclui as que tem e não aceita novas.',
  withdraw: 'Retirar aprovação',
  remove: shared.remove,
  actionFor: (action: string, name: string) => `${action}: ${name}`,
  resumed: (name: string) => `${name} volta a receber trabalho.`,
  notResumed: (name: string, why: string) => `${name} ainda não recebe trabalho. ${why}`,
  draining: (name: string) => `${name} conclui suas tarefas e não aceita novas.`,
  turnedOn: (name: string) => `${name} foi ativada.`,
  turnedOff: (name: string) => `${name} foi desativada.`,
}

const reasons = {
  quarantined: (why: string) => `Em quarentena: ${why}. Nada é enviado para lá até você liberar a máquina.`,
  unapproved: 'Nada é enviado para lá até você aprovar a máquina.',
  /** Differences from what was approved. */
  lapsed: {
    pool: 'Agora é um grupo de máquinas.',
    machine: 'Não é mais um grupo de máquinas.',
    operator: (name: string) => `Agora a operação é de ${name}.`,
    places: (names: string) => `As máquinas agora ficam em: ${names}.`,
    reads: 'A operação agora pode ler o que é enviado.',
    readsNot: 'A operação declara que não lê mais o que é enviado.',
  },
  off: 'Você a desativou. O trabalho dela vai para outras máquinas.',
  notReached: (why: string) => `Não conectada. ${why || 'O estúdio continua tentando conectar.'}`,
  neverConnected: (name: string) => `${name} ainda não se conectou. A pessoa responsável inicia o Voice Studio nela.`,
  offline: (name: string) => `${name} está desligada ou sem conexão. A pessoa responsável inicia o Voice Studio nela.`,
  unresponsive: 'Está conectada, mas não responde. Verifique o log dela.',
  drained: (count: number) =>
    count > 0 ? `Finalizando: conclui ${tasks(count)} e não recebe novas.` : 'Fora de serviço: não recebe novas tarefas.',
  ending: (count: number) =>
    `Está sendo encerrada na própria máquina: ${count > 0 ? `conclui ${tasks(count)} e ` : ''}não aceita novas tarefas.`,
  breaker: (model: string, summary: string) => `${model}: ${summary}.`,
  lastConnected: (ago: string) => `Última conexão: ${ago}.`,
  nextTry: (time: string) => `Próxima tentativa em ${time}.`,
  nextTrySoon: 'Próxima tentativa em um instante.',
  allSlots: 'Todas as vagas estão em uso.',
  waits: (count: number, why: string) =>
    `${plural(count, { one: '# tarefa não pode rodar lá', many: '# de tarefas não podem rodar lá', other: '# tarefas não podem rodar lá' })}: ${why}.`,
  /** Reasons of the scheduler that need more context here. */
}

const work: Readonly<Record<string, string>> = {
  tts: 'Locução',
  asr: 'Transcrição',
  clean: 'Remoção de ruído',
  translate: 'Tradução',
  separate: 'Separação de vozes',
}

export const strings = { page, list, table, use, card, reasons }
