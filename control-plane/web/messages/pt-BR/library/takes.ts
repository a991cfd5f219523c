// The words about takes that Speak, Files, Settings and the palette share, in Brazilian Portuguese.
import { grouped, plural } from '../language.ts'

export const strings = {
  count: (takes: number) => grouped(takes),
  find: 'Buscar nos takes',
  from: 'Takes exibidos',
  all: 'Todos',
  starred: 'Favoritos',
  noneFound: 'Nenhum take corresponde.',
  showAll: 'Limpar filtros',
  more: 'Mostrar mais',
  deleteAll: 'Excluir todos',
  deleteAllHint: 'Excluir todos os takes que não são favoritos',
  deleted: (name: string) => `Excluído: ${name}`,
  deletedAll: (count: number) => plural(count, { one: '# take excluído.', many: '# de takes excluídos.', other: '# takes excluídos.' }),
  tooLate: 'Estes takes não existem mais. Um take excluído pode ser recuperado por um minuto.',
  downloadAs: 'Baixar como…',
  downloadOf: (name: string) => `Baixar: ${name}`,
  formats: {
    mp3: ['MP3', 'Toca em qualquer lugar'],
    wav: ['WAV', 'Como foi gerado'],
    m4a: ['M4A', 'Para celulares e tablets'],
    flac: ['FLAC', 'Sem perdas, metade do tamanho'],
    opus: ['Opus', 'O menor'],
  },
  needsTools: 'Requer as ferramentas de mídia. Abrir Instalação',
  /** `cap`: takes that are kept */
  nextRemoves: (count: number, cap: number) =>
    `${plural(cap, { one: 'É mantido # take', many: 'São mantidos # de takes', other: 'São mantidos # takes' })}. ${plural(count, { one: 'O próximo take remove o mais antigo.', many: 'O próximo take remove os # mais antigos.', other: 'O próximo take remove os # mais antigos.' })}`,
  keeps: (cap: number) =>
    plural(cap, {
      one: 'O take mais recente é mantido.',
      many: 'Os # mais recentes são mantidos.',
      other: 'Os # mais recentes são mantidos.',
    }),
  keepsAll: 'Todos são mantidos.',
  change: 'Alterar',
  keptNow: (takes: number, starred: number) =>
    `${plural(takes, { one: '# take agora', many: '# de takes agora', other: '# takes agora' })}${starred > 0 ? `, ${plural(starred, { one: '# favorito', many: '# de favoritos', other: '# favoritos' })}` : ''}.`,
  compareTakes: 'Comparar dois takes',
  compareOf: (name: string) => `Comparar: ${name}`,
  compareWith: 'Escolha um segundo take para a comparação.',
  compareEnd: 'Encerrar a comparação',
}
