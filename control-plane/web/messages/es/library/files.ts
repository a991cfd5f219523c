// The words of the Files page, in Spanish.
import { plural } from '../language.ts'

export const strings = {
  find: 'Buscar un archivo',
  kind: 'Tipo',
  all: 'Todos',
  kinds: { take: 'Toma', book: 'Audiolibro', dub: 'Doblaje', transcript: 'Transcripción' },
  columns: { name: 'Nombre', kind: 'Tipo', voice: 'Hecho con', length: 'Duración', size: 'Tamaño', made: 'Creado', actions: 'Acciones' },
  removed: 'Eliminado',
  none: 'Aún no hay archivos. Aquí aparecerán las tomas, los libros terminados, los doblajes y las transcripciones.',
  noneFound: 'Ningún archivo coincide.',
  showAll: 'Borrar filtros',
  foundSoFar: (count: number) =>
    plural(count, { one: '# archivo por ahora', many: '# de archivos por ahora', other: '# archivos por ahora' }),
  found: (count: number) => plural(count, { one: '# archivo', many: '# de archivos', other: '# archivos' }),
  more: (count: number) => `Mostrar ${count} más`,
  chapters: (chapters: number) => plural(chapters, { one: '# capítulo', many: '# de capítulos', other: '# capítulos' }),
  downloadOf: (name: string) => `Descargar ${name}`,
  deleteOf: (name: string) => `Eliminar ${name}`,
  deleteTitle: (name: string) => `¿Eliminar ${name}?`,
  deleteHints: {
    book: 'Se eliminarán el libro y sus archivos. No se puede deshacer.',
    dub: 'Se eliminará el doblaje con su vídeo, sus líneas y sus pistas de voz. No se puede deshacer.',
  },
  deleteYes: 'Eliminar',
  keep: 'Conservar',
  deleted: 'Eliminado.',
}
