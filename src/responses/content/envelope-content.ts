import { checkContent } from '../rules/content-rules.ts';

/** An item of an envelope's content, for people. */
export type EnvelopeContent = EnvelopeText | EnvelopeImage | EnvelopeResource;

export interface EnvelopeText {
  readonly type: 'text';
  readonly text: string;
}

export interface EnvelopeImage extends ImageFields {
  readonly type: 'image';
}

interface ImageFields {
  readonly url: string;
  /** Describes the image for people who cannot see it. */
  readonly altText: string;
  /** In pixels. */
  readonly width?: number;
  readonly height?: number;
  readonly caption?: string;
}

export interface EnvelopeResource extends ResourceFields {
  readonly type: 'resource';
}

interface ResourceFields {
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
  image: (fields: ImageFields): EnvelopeImage => checkContent('envelope', { type: 'image', ...fields }),
  resource: (fields: ResourceFields): EnvelopeResource => checkContent('envelope', { type: 'resource', ...fields }),
};
