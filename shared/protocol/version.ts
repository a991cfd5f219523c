// Names and versions of this program.
/** Version of the program and of the API description that it serves. */
export const VERSION = '0.6.0'
/** Name of the command in every text for users. The file names.ts has it for the pages. A package has a name of its own. */
export const COMMAND = './studio'
/** Name of the command of lenders, in texts about the machine that shows them. The package for lenders has a name of its own. */
export const AGENT_COMMAND = './studio agent'
/** The User-Agent of the commands. */
export const COMMANDS_AGENT = 'voice-studio-commands'
