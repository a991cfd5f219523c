// Names and versions of this program.
/** Version of the program and of the API description that it serves. */
export const VERSION = '0.6.0'
/** Name of the command in every text for users. `web/lib/strings.js` has it for the pages. */
export const COMMAND = './studio'
/** The User-Agent of the commands. */
export const COMMANDS_AGENT = 'voice-studio-commands'
