// Tells SSML from plain text without its parser, which is loaded for SSML only.

/** The root element, perhaps behind a declaration or a document type, which the parser refuses. */
const ROOT = /^\ufeff?\s{0,1000}(?:<\?xml[^>]{0,200}>\s{0,1000})?<(?:speak[\s/>]|!DOCTYPE\s{1,100}speak)/

/** True for a text that is read as SSML where its format is not named. */
export const isSsml = (text: string): boolean => ROOT.test(text)
