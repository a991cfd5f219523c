// The words about takes that Speak, Files, Settings and the palette share, in Spanish.
import { grouped, plural } from '../language.ts'

export const strings = {
  count: (takes: number) => grouped(takes),
  find: 'Buscar en las tomas',
  from: 'Tomas que se muestran',
  all: 'Todas',
  starred: 'Destacadas',
  noneFound: 'Ninguna toma coincide.',
  showAll: 'Borrar filtros',
  more: 'Mostrar más',
  deleteAll: 'Eliminar todas',
  deleteAllHint: 'Eliminar todas las tomas no destacadas',
  deleted: (name: string) => `Eliminada: ${name}`,
  deletedAll: (count: number) => plural(count, { one: '# toma eliminada.', many: '# de tomas eliminadas.', other: '# tomas eliminadas.' }),
  tooLate: 'Estas tomas ya no existen. Una toma eliminada se puede recuperar durante un minuto.',
  downloadAs: 'Descargar como…',
  downloadOf: (name: string) => `Descargar: ${name}`,
  formats: {
    mp3: ['MP3', 'Se reproduce en todas partes'],
    wav: ['WAV', 'Tal como se locutó'],
    m4a: ['M4A', 'Para móviles y tabletas'],
    flac: ['FLAC', 'Sin pérdida, la mitad de tamaño'],
    opus: ['Opus', 'El más pequeño'],
  },
  needsTools: 'Necesita las herramientas multimedia. Abre Preparación',
  /** `cap`: takes that are kept */
  nextRemoves: (count: number, cap: number) =>
    `Tomas que se conservan: ${grouped(cap)}. ${plural(count, {
      one: 'La próxima toma eliminará la más antigua.',
      many: 'La próxima toma eliminará # de las más antiguas.',
      other: 'La próxima toma eliminará las # más antiguas.',
    })}`,
  keeps: (cap: number) => `Se conservan las ${grouped(cap)} más recientes.`,
  keepsAll: 'Se conservan todas.',
  change: 'Cambiar',
  keptNow: (takes: number, starred: number) =>
    `${plural(takes, { one: '# toma ahora', many: '# de tomas ahora', other: '# tomas ahora' })}${
      starred > 0 ? `, destacadas: ${grouped(starred)}` : ''
    }.`,
  compareTakes: 'Comparar dos tomas',
  compareOf: (name: string) => `Comparar: ${name}`,
  compareWith: 'Elige otra toma con la que compararla.',
  compareEnd: 'Terminar la comparación',
}
