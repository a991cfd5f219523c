// The texts of the page's language, by the name of their module. Modules wait for them while they are evaluated, and browsers keep what fails there as
// long as the page is open. So texts are requested until the studio answers; a failure after that is not one of the connection.

const AGAIN_MS = 1_000
/** The folder that the first element of the page names in data-texts. */
const folder = () => new URL(document.documentElement.dataset['texts']!, document.baseURI)
const load = (name: string) => import(new URL(`${name}.js`, folder()).href)
const answered = () =>
  fetch(folder()).then(
    () => true,
    () => false,
  )

/** Loads a module of texts. Rejects if the studio answers and the module fails. */
export const textsOf = (name: string) =>
  load(name).catch(async () => {
    while (!(await answered())) await new Promise((resume) => setTimeout(resume, AGAIN_MS))
    return load(name)
  })
