// The words of People and keys, in Portuguese.
import { plural } from '../language.ts'

export const strings = {
  invite: 'Convidar uma pessoa',
  createKey: 'Criar chave',
  tabs: { all: 'Tudo', person: 'Pessoas', program: 'Programas', ended: 'Encerrados' },
  columns: { name: 'Nome', used: 'Uso neste mês', may: 'Pode', last: 'Último uso', ends: 'Termina' },
  you: 'Você',
  owner: 'Responsável pelo estúdio',
  kinds: { person: 'Pessoa', program: 'Programa' },
  keyCount: (count: number) => plural(count, { one: '# chave', many: '# de chaves', other: '# chaves' }),
  none: 'Nada aqui.',
  usageFile: 'Uso em CSV',

  hours: (count: string) => `${count}\u00a0h`,
  ofLimit: (used: string, limit: string) => `${used} de ${limit}`,
  unlimited: (used: string) => `${used}, sem limite`,
  nothing: '—',
  never: 'Nunca',

  for: 'Para',
  roleHints: {
    listen: 'Reproduzir e baixar o que está na biblioteca',
    create: 'Falar, transcrever, dublar. Vê o próprio trabalho, sem configurações',
    operate: 'Tudo menos chaves: máquinas, modelos, configurações',
    own: 'Tudo, também as chaves e o trabalho de todas as pessoas',
  },
  on: 'Em',
  sound: 'Áudio por dia',
  gpu: 'Tempo de GPU por mês',
  tasks: 'Tarefas ao mesmo tempo',
  disk: 'Disco',
  noLimit: 'Sem limite',
  inDays: (days: number) => plural(days, { one: 'Em # dia', many: 'Em # de dias', other: 'Em # dias' }),
  once: 'A chave será mostrada uma só vez.',
  onlyHere: 'Este endereço só funciona nesta máquina.',
  invitation: (address: string, key: string) => `Abra ${address} e entre com esta chave:\n${key}`,

  keys: 'Chaves',
  firstKey: 'Chave',
  created: 'Criação',
  fact: (name: string, value: string) => `${name}: ${value}`,
  replace: 'Substituir',
  oldEnds: 'A chave antiga termina',
  /** By seconds. */
  oldEndings: { 0: 'Agora', 86400: 'Em 24 horas', 604800: 'Em 7 dias' },
  endKeyYes: 'Encerrar chave',
  taskCount: (count: number) => plural(count, { one: '# tarefa', many: '# de tarefas', other: '# tarefas' }),
  ofSound: (time: string) => `${time} de áudio`,
  ofGpu: (time: string) => `${time} em uma GPU`,
  endText: 'As sessões terminam agora. O que foi criado permanece.',
  endYes: 'Encerrar acesso',
}
