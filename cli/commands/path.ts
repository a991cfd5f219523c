export { findProgram } from '#shared/runtime/program.ts'
