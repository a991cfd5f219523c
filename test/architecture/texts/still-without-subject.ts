// Files whose comments are still to be rewritten, so that each names its subject. A file without such a comment fails the test of this list, and
// so does a file with one that is missing here. Never add one.
export const STILL_WITHOUT_SUBJECT: ReadonlySet<string> = new Set([
  'control-plane/features/dubbing/lines/subtitle-file.ts',
  'control-plane/features/operate/system/pages/built.ts',
  'control-plane/web/pages/dub-editor/steps.tsx',
  'control-plane/web/pages/tools/encoding.tsx',
  'shared/subtitles/encoding/likelihood.ts',
  'shared/subtitles/formats/ass.ts',
  'shared/subtitles/formats/format.ts',
  'shared/subtitles/formats/ttml-times.ts',
  'shared/subtitles/formats/ttml.ts',
  'shared/subtitles/parse/raw.ts',
  'shared/text/sentences.ts',
  'test/shared/subtitles/encodings/texts.ts',
  'test/shared/text/sentences/properties.test.ts',
])
