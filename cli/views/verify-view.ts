// The report of `models verify`: plain text that is made to be pasted into an issue. It contains no names of machines or users.
import type { VerifyReply } from '#control-plane/features/machines/models/verify/verify.contract.ts'
import { printable } from './table.ts'

const INDENT = '            '
const OUTCOMES = { pass: 'pass', differs: 'DIFFERS', skipped: 'skipped' } as const

export function verifyLines(report: VerifyReply): string[] {
  const { checks, files } = report
  const count = (outcome: keyof typeof OUTCOMES) => checks.filter((check) => check.outcome === outcome).length
  const skipped = count('skipped') > 0 ? `, ${count('skipped')} skipped` : ''
  const device = report.device_reason === '' ? report.device : `${report.device} (${report.device_reason})`
  const versions = [{ name: 'studio', version: report.studio_version }, ...report.versions].map(({ name, version }) => `${name} ${version}`)
  return [
    `Verification of ${report.repo_id}`,
    `Result:    ${report.passed ? 'PASS' : 'DIFFERS'}: ${count('pass')} of ${checks.length} checks pass, ${count('differs')} differ${skipped}`,
    `Engine:    ${report.engine}, follows ${report.reference}`,
    `Machine:   ${report.is_local ? 'this machine' : 'borrowed machine'}, ${report.platform}, device ${device || 'unknown'}`,
    `Versions:  ${versions.join(', ')}`,
    `Time:      ${report.seconds.toFixed(1)} s`,
    '',
    'Checks',
    ...checks.flatMap(({ title, outcome, expected, found, seconds }) => [
      `  ${OUTCOMES[outcome].padEnd(7)}   ${title} (${seconds.toFixed(1)} s)`,
      ...(expected === '' || outcome === 'pass' ? [] : [`${INDENT}expected: ${expected}`]),
      ...(found === '' ? [] : [`${INDENT}found:    ${found}`]),
    ]),
    '',
    'Files (SHA-256, bytes, name)',
    ...files.map(({ sha256, size, name, is_intact }) => `  ${sha256}  ${size}  ${name}${is_intact ? '' : '  CHANGED'}`),
  ].map((line) => printable(line).trimEnd())
}
