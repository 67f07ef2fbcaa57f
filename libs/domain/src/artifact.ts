import { Grown } from './grown';
import type { JsonObject } from './json';
import type { Part } from './message';

/** A result of a task, as assembled from all of its chunks so far. */
export type Artifact = {
  readonly artifactId: string;
  readonly name?: string;
  readonly description?: string;
  readonly parts: Grown<Part>;
  readonly metadata?: JsonObject;
  readonly extensions?: readonly string[];
};

/** One chunk: a whole artifact, or parts to append to one (A2A 1.0.1, section 4.2.2). */
export type ArtifactChunk = {
  readonly artifact: Omit<Artifact, 'parts'> & { readonly parts: readonly Part[] };
  /** Add the parts to the artifact with this id; otherwise create or replace it. */
  readonly append: boolean;
  /** The agent says that this artifact gets no more chunks. */
  readonly lastChunk: boolean;
};

/** Folds a chunk in. An append to an artifact that is not there creates it. */
export function withChunk(artifacts: readonly Artifact[], { artifact, append }: ArtifactChunk): readonly Artifact[] {
  const index = artifacts.findIndex((known) => known.artifactId === artifact.artifactId);
  const known = artifacts[index];
  if (!known) return [...artifacts, { ...artifact, parts: Grown.of(artifact.parts) }];
  return artifacts.with(index, append ? appended(known, artifact) : { ...artifact, parts: Grown.of(artifact.parts) });
}

function appended(known: Artifact, { parts, metadata, ...rest }: ArtifactChunk['artifact']): Artifact {
  const merged = metadata && { metadata: { ...known.metadata, ...metadata } };
  return { ...known, ...rest, ...merged, parts: known.parts.with(parts) };
}
