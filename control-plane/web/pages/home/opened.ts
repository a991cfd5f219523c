// A file that is opened or dropped on Home: a text goes into the field, and a recording or a film to the page that the person chooses.
import { messageOf } from '#control-plane/web/lib/api.ts'

import { notify } from '#control-plane/web/lib/notices.ts'
import { strings } from '#messages/start/home.ts'
import { changeDraft } from '../speak/draft.ts'

/** Longer files are books. */
const MOST_TEXT_BYTES = 1024 ** 2
const TEXT = /\.(?:txt|md)$/i
/** Types that Home opens; the escapes keep tools from reading a comment. */
export const OPENED = 'audio/\u002a,video/\u002a,.mkv,.txt,.md'

/** A recording is given back, for the person to choose what becomes of it. */
export async function opened(file: File): Promise<File | null> {
  if (/^(?:audio|video)\//.test(file.type) || /\.mkv$/i.test(file.name)) return file
  if (!TEXT.test(file.name)) notify(strings.otherFile, 'error')
  else if (file.size > MOST_TEXT_BYTES) notify(strings.longText, 'error')
  else
    await file.text().then(
      (text) => changeDraft({ text }),
      (failure) => notify(messageOf(failure), 'error'), // it was moved, or may not be read
    )
  return null
}
