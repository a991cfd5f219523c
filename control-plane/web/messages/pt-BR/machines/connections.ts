// The words of the sections that connect machines, in Brazilian Portuguese: add, connect, share and lend.

import { COMMAND } from '#control-plane/web/lib/names.ts'
import { plural } from '../language.ts'
import { strings as shared } from '../shared.ts'

const tasks = (count: number) => plural(count, { one: '# tarefa', many: '# de tarefas', other: '# tarefas' })

const add = {
  title: 'Adicionar uma máquina',
  intro: 'A outra máquina se conecta a este estúdio com um código que funciona uma vez. Ela não precisa de uma porta aberta.',
  name: 'Nome da máquina',
  nameHint: 'O nome exibido aqui. Você pode alterá-lo depois.',
  address: 'Endereço deste estúdio',
  detected: (endpoint: string) => `${endpoint} (detectado)`,
  fromPage: (host: string) => `${host} (endereço desta página)`,
  other: 'Outro endereço…',
  otherLabel: 'Outro endereço',
  otherHint: 'HOST ou HOST:PORTA, por exemplo de um roteador que encaminha a porta.',
  validFor: 'Válido por',
  times: [
    [300, '5 minutos'],
    [900, '15 minutos'],
    [3600, '1 hora'],
    [86_400, '1 dia'],
  ] as [number, string][],
  create: 'Criar código',
  createAnother: 'Criar outro código',
  code: 'Código de convite',
  codeBefore: 'O código funciona uma vez e conecta a ',
  codeTime: '. Tempo restante: ',
  expired: 'nenhum, ele expirou',
  onOther: 'Na outra máquina',
  ways: {
    npx: 'Com o Node 22.18 ou mais recente:',
    container: 'Em um contêiner:',
    files: 'Em uma pasta com os arquivos empacotados:',
    checkout: 'Em um checkout:',
  } as Record<string, string>,
  thenLends: 'A máquina entra e passa a trabalhar sem terminal. Se não for possível, o comando informa como iniciá-la.',
  sameLines: 'As mesmas linhas são mostradas por',
  waiting: 'Aguardando a máquina. Ela aparece aqui assim que entrar.',
  codeExpired: 'O código expirou.',
  joined: (isConnected: boolean) =>
    isConnected ? ' entrou e está conectada.' : ` entrou. Ela se conecta quando o agente dela estiver em execução: ${COMMAND} agent`,
  approved: 'Está aprovada.',
  notApproved: 'Nada é enviado para lá até você aprovar.',
  approve: 'Aprovar…',
}

const secret = {
  copy: 'Copiar',
  copied: 'Copiado.',
  selected: 'Selecionado. Copie com o teclado.',
  once: 'Isto não será mostrado de novo.',
  qr: (label: string) => `${label} como código QR`,
}

const connect = {
  title: 'Conectar a uma máquina com GPU',
  intro: `Para uma máquina que aceita conexões. A pessoa responsável por ela cria uma string de conexão para você na página Máquinas dela ou com ${COMMAND} agent keys add.`,
  remoteOff: 'Ative primeiro as máquinas remotas.',
  string: 'String de conexão',
  stringHint: 'Mantenha em segredo. Ela pertence ao primeiro estúdio que a usar.',
  connect: 'Conectar',
  connecting: (endpoint: string) => `Conectando a ${endpoint}.`,
  connections: 'Conexões',
  connected: 'Conectada',
  notConnected: 'Não conectada',
  remove: shared.remove,
  removeOne: (endpoint: string) => `Remover a conexão com ${endpoint}`,
  removeTitle: 'Remover esta conexão?',
  removeWarning: 'O estúdio se desconecta e remove a máquina. Para usá-la de novo, você precisa de outra string de conexão.',
  removed: 'A conexão foi removida.',
}

const share = {
  title: 'Compartilhar esta máquina',
  intro: 'Outros estúdios se conectam a esta máquina e usam a GPU dela. Cada pessoa recebe uma chave.',
  on: 'Ativado',
  off: 'Desativado',
  listeningOn: 'Aceitando conexões em ',
  reach: (isExposed: boolean) =>
    isExposed ? '. Outras máquinas podem alcançá-lo, mas só uma chave dá acesso.' : '. Só programas desta máquina podem alcançá-lo.',
  startError: (reason: string) => `Não foi possível começar a aceitar conexões: ${reason}`,
  address: 'Endereço para aceitar conexões',
  addressHint: '127.0.0.1: só programas desta máquina. 0.0.0.0: todas as máquinas que alcançam esta.',
  port: 'Porta',
  start: 'Compartilhar',
  change: 'Alterar endereço',
  stop: 'Parar de compartilhar',
  started: 'Esta máquina está compartilhada.',
  stopped: 'Esta máquina não está mais compartilhada.',
  keys: 'Chaves',
  newKey: 'Nova chave…',
  noKeys: 'Nenhuma chave ainda.',
  keyTitle: 'Nova chave',
  person: 'Pessoa',
  personHint: 'No máximo 64 caracteres.',
  createKey: 'Criar chave',
  keyFor: 'Só para ',
  keyForOne: '. A chave pertence ao primeiro estúdio que a usar.',
  string: 'String de conexão',
  localOnly:
    'Por enquanto só programas desta máquina podem usá-la. Para que outros se conectem, aceite conexões em 0.0.0.0 ou em um endereço da rede.',
  state: 'Estado',
  lastSeen: 'Visto por último',
  actions: 'Ações',
  keyStates: { revoked: 'Revogada', connected: 'Conectada', unused: 'Ainda não usada', away: 'Não conectada' },
  revoke: 'Revogar',
  revokeOne: (name: string) => `Revogar a chave de ${name}`,
  revokeTitle: 'Revogar esta chave?',
  revokeBefore: 'O acesso de ',
  revokeAfter: ' termina agora, e suas tarefas são interrompidas. Não é possível desfazer.',
  revoked: 'A chave foi revogada.',
  connected: 'Conexões ativas',
  noSessions: 'Nenhuma conexão no momento.',
  from: (peer: string) => ` de ${peer}, com conexão iniciada `,
  tasksRun: (count: number) =>
    plural(count, { one: ', # tarefa executada', many: ', # de tarefas executadas', other: ', # tarefas executadas' }),
  disconnect: 'Desconectar',
  disconnectOne: (name: string) => `Desconectar ${name}`,
  disconnected: 'Desconectado. O estúdio pode se conectar de novo após um minuto. Para impedir isso, revogue a chave dele.',
  events: (count: number) => `Registro de conexões (${count})`,
  someone: 'Alguém',
  event: (peer: string, what: string, detail: string) => ` de ${peer}: ${what}${detail && `: ${detail}`}`,
  eventKinds: { connected: 'conectou-se', disconnected: 'desconectou-se', kicked: 'foi desconectado', rejected: 'teve acesso recusado' },
}

const lend = {
  title: 'Emprestar com um código de convite',
  section: 'Emprestar esta máquina',
  states: {
    none: 'Sem estúdio',
    off: 'Desativado',
    finishing: 'Finalizando',
    lending: 'Emprestando',
    searching: 'Não conectada',
    unknown: 'Desconhecido',
  },
  none: 'Esta máquina não entrou em outro estúdio.',
  off: (studio: string) => `Ela entrou em ${studio} e não empresta nada agora.`,
  finishing: (studio: string, held: number) => `Ela conclui ${tasks(held)} para ${studio} e não aceita novas.`,
  lending: (studio: string, held: number) => `Ela está emprestada a ${studio} e executa ${tasks(held)} agora.`,
  searching: (studio: string) => `Conectando a ${studio}.`,
  studioAt: (name: string, endpoint: string) => `${name || 'um estúdio'} em ${endpoint}`,
  lastError: (error: string) => `Último problema: ${error}`,
  pinned: 'A variável de ambiente STUDIO_WORKER_MODE define isto. Não é possível alterar aqui.',
  start: 'Emprestar',
  stop: 'Parar de emprestar',
  started: 'Esta máquina está emprestada.',
  stopped: 'Esta máquina não está mais emprestada.',
  join: 'Entrar e emprestar',
  joinAnother: 'Entrar em outro estúdio',
  joined: 'Pronto: esta máquina entrou e está emprestada.',
  code: 'Código de convite do outro estúdio',
  codeHint:
    'Criado na página Máquinas desse estúdio com “Adicionar uma máquina”. Esta máquina passa a processar o que as pessoas de lá enviam.',
}

export const strings = { add, secret, connect, share, lend }
