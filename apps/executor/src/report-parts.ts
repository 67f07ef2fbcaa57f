import type { Part, Report } from '@tidemark/domain';

export function partsOf(report: Report): readonly Part[] {
  if (report.type === 'artifact') return report.artifact.parts;
  return report.message?.parts ?? [];
}

export function withParts(report: Report, parts: readonly Part[]): Report {
  if (report.type === 'artifact') return { ...report, artifact: { ...report.artifact, parts } };
  return report.message ? { ...report, message: { ...report.message, parts } } : report;
}

/** What an agent's author calls it. */
export function nameOf(report: Report): string {
  if (report.type === 'artifact') return `artifact "${report.artifact.name ?? report.artifact.artifactId}"`;
  return report.message ? `message of "${report.type}"` : `"${report.type}"`;
}
