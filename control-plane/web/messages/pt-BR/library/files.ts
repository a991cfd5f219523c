// The words of the Files page, in Brazilian Portuguese.
import { plural } from '../language.ts'

export const strings = {
  find: 'Buscar um arquivo',
  kind: 'Tipo',
  all: 'Todos',
  kinds: { take: 'Take', book: 'Audiolivro', dub: 'Dublagem', transcript: 'Transcrição' },
  columns: { name: 'Nome', kind: 'Tipo', voice: 'Feito com', length: 'Duração', size: 'Tamanho', made: 'Criado', actions: 'Ações' },
  removed: 'Removido',
  none: 'Nenhum arquivo ainda. Takes, audiolivros prontos, dublagens e transcrições aparecem aqui.',
  noneFound: 'Nenhum arquivo corresponde.',
  showAll: 'Limpar filtros',
  foundSoFar: (count: number) =>
    plural(count, { one: '# arquivo até agora', many: '# de arquivos até agora', other: '# arquivos até agora' }),
  found: (count: number) => plural(count, { one: '# arquivo', many: '# de arquivos', other: '# arquivos' }),
  more: (count: number) => `Mostrar mais ${count}`,
  chapters: (chapters: number) => plural(chapters, { one: '# capítulo', many: '# de capítulos', other: '# capítulos' }),
  downloadOf: (name: string) => `Baixar ${name}`,
  deleteOf: (name: string) => `Excluir ${name}`,
  deleteTitle: (name: string) => `Excluir ${name}?`,
  deleteHints: {
    book: 'O livro e seus arquivos serão excluídos. Não é possível desfazer.',
    dub: 'A dublagem será excluída com o filme, as falas e as faixas de voz. Não é possível desfazer.',
  },
  deleteYes: 'Excluir',
  keep: 'Manter',
  deleted: 'Excluído.',
}
