/** A change that was saved, with the API calls that revert and repeat it. */
export interface EditCommand {
  /** What was changed, for the notice after undo and redo. */
  label: string;
  undo: () => Promise<void>;
  redo: () => Promise<void>;
}

const MAX_COMMANDS = 200;

/** The changes of one visit of the editor, for undo and redo. A command whose call fails stays where it is. */
export class CommandHistory {
  private readonly done: EditCommand[] = [];
  private undone: EditCommand[] = [];

  constructor(private readonly onChange: () => void = () => undefined) {}

  get canUndo(): boolean {
    return this.done.length > 0;
  }

  get canRedo(): boolean {
    return this.undone.length > 0;
  }

  /** Adds a change that was just made. What was undone before can no longer be repeated. */
  record(command: EditCommand): void {
    this.done.push(command);
    if (this.done.length > MAX_COMMANDS) this.done.shift();
    this.undone = [];
    this.onChange();
  }

  /** Reverts the last change and returns it; null if there is none. */
  async undo(): Promise<EditCommand | null> {
    const command = this.done.at(-1);
    if (command === undefined) return null;
    await command.undo();
    // Edits that were saved in the meantime come after it.
    this.done.splice(this.done.lastIndexOf(command), 1);
    this.undone.push(command);
    this.onChange();
    return command;
  }

  /** Repeats the change that was undone last and returns it; null if there is none. */
  async redo(): Promise<EditCommand | null> {
    const command = this.undone.at(-1);
    if (command === undefined) return null;
    await command.redo();
    this.undone = this.undone.filter((each) => each !== command);
    this.done.push(command);
    this.onChange();
    return command;
  }
}
