// The usual pace of speech. Pure.

/**
 * Characters (code points) a second at a natural pace, by language. Figures of the system that clients know, so that their estimates and
 * these agree. Scripts that write vowels as separate characters have more.
 */
const PACE: Readonly<Record<string, number>> = {
  ...{ en: 15, de: 14, fr: 15, es: 15.5, it: 15, pt: 15, nl: 14, sv: 14, no: 14, nb: 14, nn: 14, da: 14, fi: 13 },
  ...{ ru: 13, pl: 13, uk: 13, cs: 13, el: 14, tr: 12, ar: 12, he: 12, fa: 13, ur: 13 },
  ...{ ja: 10, ko: 10, zh: 6, th: 10, vi: 16, id: 14, ms: 14 },
  ...{ hi: 17, bn: 17, ta: 14, te: 14, mr: 16, gu: 16, kn: 14, ml: 14, pa: 16, or: 16 },
}
const USUAL_PACE = 13

/** Characters (code points) a second. `language`: a tag such as `pt-BR`; another one has the usual pace. */
export const paceOf = (language: string): number => PACE[language.toLowerCase().split(/[-_]/)[0] ?? ''] ?? USUAL_PACE
