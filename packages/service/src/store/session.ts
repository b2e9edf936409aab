import { once } from "node:events";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import pg from "pg";
import { exactIntegers, type Transaction } from "./database.js";

/**
 * One connection for work that takes as long as it takes: a backup, a restoration, an audit. It streams tables in PostgreSQL's
 * own text form (COPY), which keeps every value exactly.
 */
export interface Session {
  readonly tx: Transaction;
  /** Rows as the server writes them, a line each, no faster than they are read. */
  copyOut(statement: string): AsyncIterable<Buffer>;
  copyIn(statement: string, lines: AsyncIterable<Buffer>): Promise<void>;
  close(): Promise<void>;
}

/** The part of the driver's connection that carries rows; its types do not show it. */
interface CopyConnection {
  readonly stream: Socket;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

export async function openSession(connectionString: string): Promise<Session> {
  const client = new pg.Client({
    connectionString,
    types: exactIntegers,
    application_name: "assay-admin",
    connectionTimeoutMillis: 5000,
    keepAlive: true,
  });
  // A connection that is cut while nothing waits for it would end the process; the next statement reports it.
  client.on("error", () => {});
  await client.connect();
  return {
    tx: {
      isTransaction: true,
      query: async ({ text, values }) => (await client.query(text, values as unknown[] | undefined)).rows,
    },
    copyOut: (statement) => copyOut(client, statement),
    copyIn: (statement, lines) => copyIn(client, statement, lines),
    close: () => client.end(),
  };
}

function copyOut(client: pg.Client, text: string): Readable {
  let socket: Socket | undefined;
  const rows = new Readable({ read: () => socket?.resume() });
  submit(client, {
    submit(connection: CopyConnection) {
      socket = connection.stream;
      connection.query(text);
    },
    handleCopyData({ chunk }: { readonly chunk: Buffer }, { stream }: CopyConnection) {
      // The driver reads the next message into the same memory.
      if (!rows.push(Buffer.from(chunk))) stream.pause();
    },
    handleError: (error: Error) => rows.destroy(error),
    handleCommandComplete: () => {},
    handleReadyForQuery: () => rows.push(null),
  });
  return rows;
}

function copyIn(client: pg.Client, text: string, lines: AsyncIterable<Buffer>): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: unknown;
    const send = async (connection: CopyConnection) => {
      try {
        for await (const chunk of lines) {
          if (failure) return;
          connection.sendCopyFromChunk(chunk);
          if (connection.stream.writableNeedDrain) await once(connection.stream, "drain");
        }
        connection.endCopyFrom();
      } catch (error) {
        failure = error;
        connection.sendCopyFail("the rows ended early");
      }
    };
    submit(client, {
      submit: (connection: CopyConnection) => connection.query(text),
      handleCopyInResponse: (connection: CopyConnection) => void send(connection),
      handleError(error: Error) {
        failure ??= error;
        reject(failure);
      },
      handleCommandComplete: () => {},
      handleReadyForQuery: () => (failure ? reject(failure) : resolve()),
    });
  });
}

const submit = (client: pg.Client, query: object) => void client.query(query as pg.Submittable);
