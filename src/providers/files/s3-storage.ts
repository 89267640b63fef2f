import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3';
import {
  type ByteRange,
  checkStoredName,
  type FileStorage,
  splitIntoParts,
  storageUnavailable,
} from './file-storage.ts';

export interface S3Settings {
  /** null: the endpoint of AWS for the region. */
  endpoint: string | null;
  region: string;
  bucket: string;
  /** null: the SDK's default credential chain (environment, instance role). */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
  /** Puts the bucket in the path instead of the host name, as most stores other than AWS require. */
  forcePathStyle: boolean;
}

/** S3 requires this size for all parts except the last. It also bounds the memory of an upload. */
const PART_BYTES = 5 * 1024 * 1024;
const CONNECT_TIMEOUT_MS = 5_000;
const SOCKET_TIMEOUT_MS = 30_000;

type Sdk = typeof import('@aws-sdk/client-s3');
interface LoadedClient {
  sdk: Sdk;
  client: S3Client;
}

/** Files as objects of one bucket of an S3-compatible store. The SDK is large and is loaded when first needed. */
export class S3Storage implements FileStorage {
  private loaded: Promise<LoadedClient> | null = null;

  constructor(private readonly settings: S3Settings) {}

  /** Accepts streams of unknown length: uploads a single part as one object, several as a multipart upload. */
  async put(storedName: string, chunks: AsyncIterable<Buffer>): Promise<void> {
    const object = this.objectOf(storedName);
    const parts = splitIntoParts(chunks, PART_BYTES);
    const first = (await parts.next()).value ?? Buffer.alloc(0);
    const second = await parts.next();
    if (second.done === true) {
      await this.call(({ sdk, client }) =>
        client.send(new sdk.PutObjectCommand({ ...object, Body: first, ContentLength: first.length })),
      );
      return;
    }
    const { UploadId } = await this.call(({ sdk, client }) =>
      client.send(new sdk.CreateMultipartUploadCommand(object)),
    );
    const upload = { ...object, UploadId };
    try {
      const Parts: { PartNumber: number; ETag: string | undefined }[] = [];
      const send = async (part: Buffer) => {
        const numbered = { ...upload, PartNumber: Parts.length + 1, Body: part, ContentLength: part.length };
        const { ETag } = await this.call(({ sdk, client }) =>
          client.send(new sdk.UploadPartCommand(numbered)),
        );
        Parts.push({ PartNumber: numbered.PartNumber, ETag });
      };
      await send(first);
      await send(second.value);
      for await (const part of parts) await send(part);
      await this.call(({ sdk, client }) =>
        client.send(new sdk.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } })),
      );
    } catch (error) {
      await this.call(({ sdk, client }) => client.send(new sdk.AbortMultipartUploadCommand(upload))).catch(
        () => undefined,
      );
      throw error;
    }
  }

  async get(storedName: string, range?: ByteRange): Promise<AsyncIterable<Buffer> | null> {
    const object = this.objectOf(storedName);
    const part = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` };
    const found = await this.call(async ({ sdk, client }) => {
      try {
        return await client.send(new sdk.GetObjectCommand({ ...object, ...part }));
      } catch (error) {
        if (error instanceof sdk.NoSuchKey) return null;
        throw error;
      }
    });
    return found === null ? null : (found.Body as unknown as AsyncIterable<Buffer>);
  }

  async remove(storedName: string): Promise<void> {
    const object = this.objectOf(storedName);
    await this.call(({ sdk, client }) => client.send(new sdk.DeleteObjectCommand(object)));
  }

  private objectOf(storedName: string): { Bucket: string; Key: string } {
    checkStoredName(storedName);
    return { Bucket: this.settings.bucket, Key: `files/${storedName}` };
  }

  private async call<T>(work: (loaded: LoadedClient) => Promise<T>): Promise<T> {
    try {
      return await work(await (this.loaded ??= openClient(this.settings)));
    } catch (error) {
      throw storageUnavailable(error);
    }
  }
}

async function openClient(settings: S3Settings): Promise<LoadedClient> {
  const sdk = await import('@aws-sdk/client-s3');
  const { endpoint, credentials, region, forcePathStyle } = settings;
  const config: S3ClientConfig = {
    region,
    forcePathStyle,
    // Stores other than AWS do not support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    // The SDK has no timeouts by default.
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: SOCKET_TIMEOUT_MS },
    ...(endpoint === null ? {} : { endpoint }),
    ...(credentials === null ? {} : { credentials }),
  };
  return { sdk, client: new sdk.S3Client(config) };
}
