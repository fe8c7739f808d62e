//! A small HTTP server on this machine, which does what it is told: well or badly.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// What somebody asked for.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) path: String,
    headers: Vec<(String, String)>,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The first byte of a range that was asked for.
    pub(crate) fn start(&self) -> Option<usize> {
        self.header("range")?.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok()
    }
}

/// How the end of a body is told.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    Length,
    Chunks,
    Close,
}

/// What it answers.
#[derive(Clone)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<String>,
    pub(crate) body: Vec<u8>,
    pub(crate) framing: Framing,
    /// After how many bytes of the body the connection ends.
    pub(crate) cut: usize,
    /// Whether it stays open then, silent, as long as the other end does.
    pub(crate) stalls: bool,
}

impl Reply {
    pub(crate) fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        let (headers, framing) = (Vec::new(), Framing::Length);
        Self { status, headers, body: body.into(), framing, cut: usize::MAX, stalls: false }
    }

    /// A file, or the rest of it if that is asked for and it is still the same version.
    pub(crate) fn file(request: &Request, content: &[u8], version: &str) -> Self {
        let start = request.start().filter(|_| request.header("if-range") == Some(version));
        let reply = match start {
            Some(start) if start >= content.len() => Self::new(416, ""),
            Some(start) => {
                let range = format!("{start}-{}/{}", content.len() - 1, content.len());
                Self::new(206, &content[start..]).with(&format!("Content-Range: bytes {range}"))
            }
            None => Self::new(200, content),
        };
        reply.with(&format!("ETag: {version}"))
    }

    pub(crate) fn with(mut self, header: &str) -> Self {
        self.headers.push(header.to_owned());
        self
    }

    pub(crate) fn framed(self, framing: Framing) -> Self {
        Self { framing, ..self }
    }

    pub(crate) fn cut(self, cut: usize) -> Self {
        Self { cut, ..self }
    }

    pub(crate) fn stalled(self, cut: usize) -> Self {
        Self { cut, stalls: true, ..self }
    }
}

pub(crate) struct Server {
    site: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    /// Answers until the tests are over.
    pub(crate) fn start(answer: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let site = format!("http://{}/sets", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (seen, answer) = (Arc::clone(&requests), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (seen, answer) = (Arc::clone(&seen), Arc::clone(&answer));
                // A client that leaves early is what some tests are about.
                std::thread::spawn(move || _ = serve(&stream.unwrap(), &seen, &*answer));
            }
        });
        Self { site, requests }
    }

    /// The address below which there are files.
    pub(crate) fn site(&self) -> &str {
        &self.site
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }
}

fn serve(
    mut stream: &TcpStream,
    seen: &Mutex<Vec<Request>>,
    answer: &dyn Fn(&Request) -> Reply,
) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream).lines();
    let first = lines.next().unwrap_or(Ok(String::new()))?;
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut headers = Vec::new();
    for line in lines {
        let line = line?;
        let Some((name, value)) = line.split_once(':') else { break };
        headers.push((name.to_lowercase(), value.trim().to_owned()));
    }
    let request = Request { path, headers };
    let reply = answer(&request);
    seen.lock().unwrap().push(request);

    let Reply { status, headers, body, framing, cut, stalls } = reply;
    write!(stream, "HTTP/1.1 {status} Status\r\nConnection: close\r\n")?;
    for header in headers {
        write!(stream, "{header}\r\n")?;
    }
    match framing {
        Framing::Length => write!(stream, "Content-Length: {}\r\n\r\n", body.len())?,
        Framing::Chunks => write!(stream, "Transfer-Encoding: chunked\r\n\r\n")?,
        Framing::Close => write!(stream, "\r\n")?,
    }
    for piece in body[..cut.min(body.len())].chunks(100) {
        if framing == Framing::Chunks {
            write!(stream, "{:x}\r\n", piece.len())?;
        }
        stream.write_all(piece)?;
        if framing == Framing::Chunks {
            write!(stream, "\r\n")?;
        }
    }
    if framing == Framing::Chunks && cut >= body.len() {
        write!(stream, "0\r\n\r\n")?;
    }
    stream.flush()?;
    if stalls {
        // Until the other end closes.
        std::io::copy(&mut stream, &mut std::io::sink())?;
    }
    Ok(())
}
