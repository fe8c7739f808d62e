//! Graphs as tables: what is written is what is read, and what is wrong is named.

#![cfg(feature = "arrow")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use allpaths::dataset::{Format, GraphColumns, OnError, Reader, Writer, graphs_of_batch};
use allpaths::{Dataset, Graph};
use arrow_array::builder::{Int64Builder, LargeListBuilder, ListBuilder, StringBuilder};
use arrow_array::types::{Int32Type, UInt8Type};
use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, Int16Array, ListArray, RecordBatch, StringArray, UInt32Array,
};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

fn datasets() -> Vec<Dataset> {
    let read = |name: &str, text: &str| Reader::new().read_bytes(name, text).unwrap();
    let weighted = "source,target,weight\n0,1,1\n1,2,-2.5\n2,2,1e-9\n";
    vec![
        Dataset::demo(1),
        read("weighted.csv", weighted),
        Reader::new().directed(true).read_bytes("directed.csv", weighted).unwrap(),
        read("molecules.smi", "CCO ethanol\nc1ccccc1 benzene\n[H][H]\n"),
        read("bare.g6", "Bw\n?\n"),
        Dataset::from_graphs("none", Vec::new()),
        Dataset::from_graphs("mixed", {
            let bare = Graph::from_edges(4, [(0, 1)]).unwrap();
            vec![bare, read("x.smi", "C=O").graphs()[0].clone()]
        }),
    ]
}

#[test]
fn packed_columns_are_read() {
    let demo = Dataset::demo(1);
    let (bytes, _) = Writer::new().bytes(&demo, "x.arrow").unwrap();
    let batches: Vec<RecordBatch> = arrow_ipc::reader::FileReader::try_new(std::io::Cursor::new(bytes), None)
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    let schema = batches[0].schema();
    let is_read = |name: &str, bytes: Vec<u8>| {
        let read = Reader::new().read_bytes(name, bytes).unwrap();
        assert_eq!((read.graphs(), read.classes()), (demo.graphs(), demo.classes()));
    };
    let packed = [
        Compression::UNCOMPRESSED,
        Compression::GZIP(parquet::basic::GzipLevel::default()),
        Compression::LZ4_RAW,
    ];
    for compression in [&packed[..], &[Compression::SNAPPY, Compression::LZ4]].concat() {
        let properties = WriterProperties::builder().set_compression(compression).build();
        let mut writer = ArrowWriter::try_new(Vec::new(), schema.clone(), Some(properties)).unwrap();
        batches.iter().for_each(|batch| writer.write(batch).unwrap());
        is_read("x.parquet", writer.into_inner().unwrap());
    }
    let options = IpcWriteOptions::default().try_with_compression(Some(CompressionType::LZ4_FRAME)).unwrap();
    let mut writer = FileWriter::try_new_with_options(Vec::new(), &schema, options).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    is_read("x.feather", writer.into_inner().unwrap());
}

#[test]
fn what_is_written_is_read_at_once_and_in_batches() {
    for (name, format) in [("x.parquet", Format::Parquet), ("x.arrow", Format::Arrow)] {
        let forms = [GraphColumns::Lists, GraphColumns::Bytes];
        for (dataset, form) in datasets().iter().flat_map(|dataset| forms.map(|form| (dataset, form))) {
            let (bytes, lost) = Writer::new().graph_columns(form).bytes(dataset, name).unwrap();
            assert!(lost.is_empty(), "{}: {lost:?}", dataset.name());
            for read in [
                Reader::new().read_bytes(name, bytes.clone()).unwrap(),
                Reader::new().read_bytes("no ending", bytes.clone()).unwrap(),
                Reader::new().format(format).batch_size(2).read_bytes("x", bytes.clone()).unwrap(),
            ] {
                assert_eq!(read.graphs(), dataset.graphs());
                assert_eq!(read.classes(), dataset.classes());
                assert_eq!(read.names(), dataset.names());
            }
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            let mut graphs = Vec::new();
            for batch in Reader::new().batch_size(7).stream(&path).unwrap() {
                let batch = batch.unwrap();
                assert!(batch.graphs().len() <= 7);
                graphs.extend_from_slice(batch.graphs());
            }
            assert_eq!(graphs, dataset.graphs());
        }
    }
}

#[test]
fn real_datasets_come_back() {
    for name in ["MUTAG", "ENZYMES"] {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
        let folder =
            std::env::var_os("ALLPATHS_DATA").map_or(root, PathBuf::from).join("datasets").join(name);
        if !folder.exists() {
            eprintln!("skipped: no {}", folder.display());
            continue;
        }
        let dataset = Dataset::read(folder).unwrap();
        for form in [GraphColumns::Lists, GraphColumns::Bytes] {
            let (bytes, _) = Writer::new().graph_columns(form).bytes(&dataset, "x.parquet").unwrap();
            let read = Reader::new().read_bytes("x.parquet", bytes).unwrap();
            assert_eq!(read.classes(), dataset.classes());
            assert_eq!(read.graphs().len(), dataset.graphs().len());
            for (one, other) in read.graphs().iter().zip(dataset.graphs()) {
                assert!(one.edges().eq(other.edges()));
                assert_eq!(one.vertex_labels(), other.vertex_labels());
                assert_eq!(one.edge_labels(), other.edge_labels());
            }
        }
    }
}

fn ends(rows: &[&[i32]]) -> ArrayRef {
    let rows = rows.iter().map(|row| Some(row.iter().copied().map(Some).collect::<Vec<_>>()));
    Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(rows))
}

fn texts(rows: &[Option<&[&str]>]) -> ArrayRef {
    let mut lists = ListBuilder::new(StringBuilder::new());
    for row in rows {
        row.iter().for_each(|row| row.iter().for_each(|text| lists.values().append_value(text)));
        lists.append(row.is_some());
    }
    Arc::new(lists.finish())
}

fn table(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter(columns).unwrap()
}

/// A table as a stream of Arrow, which begins in another way than a file.
fn stream(batch: &RecordBatch) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = StreamWriter::try_new(&mut bytes, &batch.schema()).unwrap();
    writer.write(batch).unwrap();
    writer.finish().unwrap();
    drop(writer);
    bytes
}

#[test]
fn other_widths_and_numbers_as_labels() {
    let mut sources = LargeListBuilder::new(Int64Builder::new());
    sources.values().append_slice(&[0, 1]);
    sources.append(true);
    let labels = ListArray::from_iter_primitive::<UInt8Type, _, _>([Some(vec![Some(8), Some(6), Some(8)])]);
    let batch = table(vec![
        ("id", Arc::new(Int16Array::from(vec![7]))),
        ("source", Arc::new(sources.finish())),
        ("target", ends(&[&[1, 2]])),
        ("vertex_labels", Arc::new(labels)),
        ("edge_labels", texts(&[Some(&["=", "="])])),
        ("y", Arc::new(BooleanArray::from(vec![true]))),
    ]);
    let data = Reader::new().read_bytes("x", stream(&batch)).unwrap();
    assert_eq!(data.names().unwrap(), ["7"]);
    assert_eq!(data.classes(), Some([1].as_slice()));
    assert_eq!(data.graphs()[0].vertex_labels().unwrap().name(1), "6");
    assert_eq!(data.graphs()[0].edge_labels().unwrap().name(0), "=");
}

#[test]
fn a_wrong_column_is_named() {
    let good = || vec![("source", ends(&[&[0]])), ("target", ends(&[&[1]]))];
    let words: ArrayRef = Arc::new(StringArray::from(vec!["a"]));
    for (name, column, message) in [
        ("source", None, r#"there is no column "source""#),
        ("target", None, r#"there is no column "target""#),
        ("source", Some(words.clone()), r#"column "source" must hold lists of whole numbers, not Utf8"#),
        ("target", Some(texts(&[Some(&["1"])])), r#"column "target" must hold lists of whole numbers"#),
        (
            "vertex_labels",
            Some(words.clone()),
            r#"column "vertex_labels" must hold lists of strings or whole numbers"#,
        ),
        ("edge_labels", Some(words.clone()), r#"column "edge_labels" must hold lists"#),
        ("weights", Some(texts(&[Some(&["1"])])), r#"column "weights" must hold lists of numbers"#),
        ("vertices", Some(words.clone()), r#"column "vertices" must hold whole numbers, not Utf8"#),
        ("directed", Some(words.clone()), r#"column "directed" must hold booleans"#),
        ("y", Some(words.clone()), r#"column "y" must hold whole numbers"#),
        ("id", Some(texts(&[Some(&["1"])])), r#"column "id" must hold strings or whole numbers"#),
    ] {
        let mut columns = good();
        columns.retain(|(other, _)| *other != name);
        columns.extend(column.map(|column| (name, column)));
        let error = Reader::new().read_bytes("x.arrow", stream(&table(columns))).unwrap_err();
        assert!(error.to_string().starts_with(&format!("x.arrow: {message}")), "{error}");
    }
}

#[test]
fn a_wrong_row_is_an_error_of_its_own() {
    let rows = [
        (&[0][..], &[1][..], Some(&["C", "O"][..]), None),
        (&[0, 1], &[1], Some(&["C", "O"]), Some(r#"2 values in "source" and 1 in "target""#)),
        (&[0], &[2], Some(&["C", "O"]), Some("an edge with vertex 2: there are 2 vertices")),
        (&[0], &[-1], None, Some("an edge with vertex -1")),
        (&[0], &[3], None, None),
    ];
    let batch = table(vec![
        ("source", ends(&rows.map(|(source, ..)| source))),
        ("target", ends(&rows.map(|(_, target, ..)| target))),
        ("vertex_labels", texts(&rows.map(|(.., labels, _)| labels))),
    ]);
    let graphs = graphs_of_batch(&batch, false).unwrap();
    for (graph, (.., fault)) in graphs.iter().zip(rows) {
        match (graph, fault) {
            (Ok(_), None) => {}
            (Err(error), Some(fault)) => assert!(error.to_string().starts_with(fault), "{error}"),
            (graph, fault) => panic!("{graph:?} but {fault:?}"),
        }
    }
    assert_eq!(graphs[4].as_ref().unwrap().order(), 4);

    let bytes = stream(&batch);
    let error = Reader::new().read_bytes("x.arrow", bytes.clone()).unwrap_err();
    assert!(error.to_string().starts_with("x.arrow: row 1: 2 values"), "{error}");
    let skipped = Reader::new().on_error(OnError::Skip).read_bytes("x.arrow", bytes.clone()).unwrap();
    assert_eq!(skipped.graphs().len(), 2);
    assert!(skipped.notes()[0].starts_with("left out row 1: 2 values"), "{:?}", skipped.notes());
    let empty = Reader::new().on_error(OnError::Empty).read_bytes("x.arrow", bytes).unwrap();
    assert_eq!(empty.graphs().iter().map(Graph::order).collect::<Vec<_>>(), [2, 0, 0, 0, 4]);
}

fn bytes(rows: &[Option<&[u8]>]) -> ArrayRef {
    Arc::new(rows.iter().copied().collect::<BinaryArray>())
}

/// The bytes of a directed graph with labels and weights, as the documentation says them.
#[test]
fn bytes_of_a_graph_by_hand() {
    let whole: &[u8] =
        b"\x01\x0f\x03\x02\0\x01\x01\x02\x02\x01C\x02Br\0\x01\0\x01\x01=\0\0\0\0\0\0\0\0\xf0\xbf\0\0\0\0\0\0\xe0?";
    let read = graphs_of_batch(&table(vec![("graph_bytes", bytes(&[Some(whole)]))]), false).unwrap();
    let graph = read[0].as_ref().unwrap();
    assert!(graph.is_directed());
    assert_eq!(graph.edges().collect::<Vec<_>>(), [(0, 1), (1, 2)]);
    let labels = graph.vertex_labels().unwrap();
    assert_eq!([0, 1, 2].map(|v| labels.name(v)), ["C", "Br", "C"]);
    assert_eq!(graph.edge_labels().unwrap().name(1), "=");
    assert_eq!(graph.weights().unwrap(), [-1.0, 0.5]);
}

#[test]
fn wrong_bytes_are_an_error_of_their_row() {
    for (row, fault) in [
        (None, r#"column "graph_bytes" is null"#),
        (Some(&b"\x01\0\x02\x01\0\x01"[..]), ""),
        (Some(b""), "ends before its graph does"),
        (Some(b"\x02\0\x02\x01\0\x01"), "a graph in version 2 of that form, this reads version 1"),
        (Some(b"\x01\x10\x02\x01\0\x01"), "16 is no sum"),
        (Some(b"\x01\0\x02\x01\0\x02"), "an edge with vertex 2: there are 2 vertices"),
        (Some(b"\x01\0\x02\x01\0"), "ends before"),
        (Some(b"\x01\0\x02\x01\0\x01\0"), "1 bytes more than its graph has"),
        (Some(b"\x01\0\x02\xff\xff\xff\xff\x0f\0"), "ends before"),
        (Some(b"\x01\0\xff\xff\xff\xff\x1f\0"), "a number past 32 bits"),
        (Some(b"\x01\0\x80\x80\x80\x80\x80\x80\0"), "a number past 32 bits"),
        (Some(b"\x01\x02\x01\0\x01\x01\xff\0"), "a label that is not UTF-8"),
        (Some(b"\x01\x02\x01\0\x01\x01C\x01"), "label 1 of 1"),
        (Some(b"\x01\x02\x02\0\x01\x01C\0"), "ends before"),
        (Some(b"\x01\x02\x01\0\x01\x7fC\0"), "ends before"),
        (Some(b"\x01\x08\x02\x01\0\x01\0\0"), "ends before"),
    ] {
        let read = graphs_of_batch(&table(vec![("graph_bytes", bytes(&[row]))]), false).unwrap();
        match &read[0] {
            Ok(graph) => assert!(fault.is_empty() && graph.size() == 1, "{row:?}"),
            Err(error) => {
                let message = error.to_string();
                assert!(!fault.is_empty() && message.contains(fault), "{row:?}: {message}");
                assert!(message.starts_with(r#"column "graph_bytes""#), "{message}");
            }
        }
    }
    let both = table(vec![("graph_bytes", bytes(&[None])), ("source", ends(&[&[0]]))]);
    let error = graphs_of_batch(&both, false).unwrap_err().to_string();
    assert!(error.contains(r#"columns "graph_bytes" and "source" both say what graphs are"#), "{error}");
    let words: ArrayRef = Arc::new(StringArray::from(vec!["a"]));
    let error = graphs_of_batch(&table(vec![("graph_bytes", words)]), false).unwrap_err().to_string();
    assert!(error.contains(r#"column "graph_bytes" must hold bytes, not Utf8"#), "{error}");
}

/// Any bytes at all make a graph or an error: here a whole graph with each byte changed, and cut off anywhere.
#[test]
fn changed_bytes_make_a_graph_or_an_error() {
    let whole: &[u8] = b"\x01\x07\x03\x02\0\x01\x01\x02\x02\x01C\x02Br\0\x01\0\x01\x01=\0\0";
    let read = |bytes_of: &[u8]| {
        graphs_of_batch(&table(vec![("graph_bytes", bytes(&[Some(bytes_of)]))]), false).unwrap().remove(0)
    };
    assert!(read(whole).is_ok());
    for length in 0..whole.len() {
        assert!(read(&whole[..length]).is_err(), "{length} bytes");
    }
    let mut wrong = 0;
    for place in 0..whole.len() {
        for value in 0..=u8::MAX {
            let mut changed = whole.to_vec();
            changed[place] = value;
            match read(&changed) {
                Ok(graph) => assert!(graph.size() <= 4 && graph.order() <= whole.len()),
                Err(_) => wrong += 1,
            }
        }
    }
    assert!(wrong > 0);
}

#[test]
fn a_small_file_cannot_ask_for_much() {
    let column: ArrayRef = Arc::new(UInt32Array::from(vec![1 << 20]));
    let announced = table(vec![("source", ends(&[&[0]])), ("target", ends(&[&[1]])), ("vertices", column)]);
    let named = table(vec![("source", ends(&[&[0]])), ("target", ends(&[&[(1 << 20) - 1]]))]);
    let in_bytes = table(vec![("graph_bytes", bytes(&[Some(b"\x01\0\x80\x80\x40\0")]))]);
    for batch in [announced, named, in_bytes] {
        let read = |bytes: u64| Reader::new().max_input(bytes).read_bytes("x.arrow", stream(&batch));
        assert_eq!(read(1 << 24).unwrap().graphs()[0].order(), 1 << 20);
        assert!(
            read(1 << 20)
                .unwrap_err()
                .to_string()
                .contains("1048576 vertices are more than a file may ask for")
        );
    }
}

#[test]
fn what_is_no_table_is_refused() {
    for name in ["x.parquet", "x.arrow"] {
        for bytes in [&b""[..], b"PAR1", b"ARROW1\0\0", b"\xff\xff\xff\xff", b"some text"] {
            assert!(Reader::new().read_bytes(name, bytes).unwrap_err().is_input());
        }
    }
}
