// The words of the list from which a voice is chosen, in Spanish.
import { plural } from '../language.ts'

export const strings = {
  find: 'Buscar una voz',
  results: 'Voces',
  byDefault: 'Predeterminada',
  language: 'Idioma',
  allLanguages: 'Todos los idiomas',
  showAll: 'Mostrar todas',
  showAllOf: (group: string) => `Mostrar todas: ${group}`,
  nothing: 'Ninguna voz se llama así.',
  nothingHere: 'Ninguna voz habla este idioma.',
  found: (count: number) => plural(count, { one: '# voz', many: '# de voces', other: '# voces' }),
  /** Sample of a built-in voice of this language. */
  spoken: 'Buenas noches. La luz de la torre está encendida y el último barco ya está en casa.',
  newVoice: 'Nueva voz…',
  keys: { play: 'reproduce', choose: 'elige' },
  spaceKey: 'Espacio',
  keyHelp: 'Las flechas desplazan, Espacio reproduce una muestra, Intro elige y Escape cierra.',
  playing: (name: string) => `Se está reproduciendo una muestra de ${name}.`,
}
