// What this program is called.
/** Of the API description this program serves, and of the program itself. */
export const VERSION = '0.6.0'
/** How users call the command line, in every text that they read. `web/lib/strings.js` has it for the pages. */
export const COMMAND = './studio'
/** The User-Agent of the commands. */
export const COMMANDS_AGENT = 'voice-studio-commands'
