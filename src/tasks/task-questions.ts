import { Rounds } from '../core/rounds.ts';
import type { Question } from '../core/asking.ts';
import type { StoredAnswers, StoredQuestions } from './task-payloads.ts';

/** The questions of one leg of a task. A question ends the leg; when all are answered, the next leg begins. */
export class TaskQuestions extends Rounds {
  constructor(
    private readonly askable: readonly string[],
    readonly stored: StoredAnswers,
  ) {
    super(stored.given);
  }

  can(method: string): boolean {
    return this.askable.includes(method);
  }

  takes(method: string): boolean {
    return this.can(method);
  }

  /** A question that JSON cannot carry fails at once: stored after the run, it would start the function again and again. */
  override ask(question: Question): Promise<unknown> {
    JSON.stringify(question.params);
    return super.ask(question);
  }

  /** What to store when the leg has ended. */
  toStored(): { readonly questions: StoredQuestions; readonly answers: StoredAnswers } {
    const asked = new Set(this.stored.asked);
    const questions = this.questions.map((question) => toEntry(question, asked));
    return { questions: Object.fromEntries(questions), answers: { given: this.answers, asked: [...asked] } };
  }
}

/** A key is never used twice in a task, also not for the same question: `question1`, then `question1-2`. */
function toEntry({ name, method, params }: Question, asked: Set<string>): [string, StoredQuestions[string]] {
  let key = name;
  for (let n = 2; asked.has(key); n++) key = `${name}-${n}`;
  asked.add(key);
  return [key, { name, method, params }];
}
