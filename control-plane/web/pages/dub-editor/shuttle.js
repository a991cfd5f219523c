// @ts-check
// The film by three keys, as editors of films have them.
import { messageOf } from '../../lib/api.js'
import { notify } from '../../lib/notices.js'

/** Speeds that `l` goes through; no browser plays backwards, so `j` goes back by steps. */
const SPEEDS = [1, 1.5, 2]
const BACK_SECONDS = 2

/** The speed after one more press of `l`. Pure. @param {number} speed */
export const fasterThan = (speed) => SPEEDS.find((one) => one > speed) ?? SPEEDS.at(-1) ?? 1

/** j: back, k: pause and the usual speed, l: play, then faster. @param {HTMLMediaElement} film @param {'j' | 'k' | 'l'} key */
export function shuttleFilm(film, key) {
  if (key === 'j') {
    film.currentTime = Math.max(0, film.currentTime - BACK_SECONDS)
    return
  }
  if (key === 'k') {
    film.pause()
    film.playbackRate = 1
    return
  }
  if (!film.paused) film.playbackRate = fasterThan(film.playbackRate)
  else film.play().catch((failure) => notify(messageOf(failure), 'error'))
}
