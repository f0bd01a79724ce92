import { checkContent } from '../rules/content-rules.ts';

/** An item of an envelope's content, for people. */
export type EnvelopeContent = EnvelopeText | EnvelopeImage | EnvelopeResource;

export interface EnvelopeText {
  readonly type: 'text';
  readonly text: string;
}

export interface EnvelopeImage extends ImageFacts {
  readonly type: 'image';
}

interface ImageFacts {
  readonly url: string;
  /** Describes the image for people who cannot see it. */
  readonly altText: string;
  /** In pixels. */
  readonly width?: number;
  readonly height?: number;
  readonly caption?: string;
}

export interface EnvelopeResource extends ResourceFacts {
  readonly type: 'resource';
}

interface ResourceFacts {
  /** For example `file`, `url`, `instance`. */
  readonly resourceType: string;
  readonly identifier: string;
  readonly name: string;
  readonly description?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Creates content items of an envelope. Throws if an item would break the rules. */
export const envelopeContent = {
  text: (text: string): EnvelopeText => ({ type: 'text', text }),
  image: (facts: ImageFacts): EnvelopeImage => checkContent('envelope', { type: 'image', ...facts }),
  resource: (facts: ResourceFacts): EnvelopeResource => checkContent('envelope', { type: 'resource', ...facts }),
};
